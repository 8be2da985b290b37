"""What game managers and players say to each other about described games, as text; nothing here opens a socket."""
