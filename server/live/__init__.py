"""Live play: matches over websockets, refereed and kept by the server."""
