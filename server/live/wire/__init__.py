"""What goes over the match and lobby sockets: the messages, their frames, and their TypeScript types."""
