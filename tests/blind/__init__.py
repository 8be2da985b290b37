"""How well persons can be told from programs by anything that a browser receives: `make blind`."""
