"""Where programs think: in processes beside the server, so that no player can keep the event loop waiting."""
