"""Sockets: who may open one, what each message is answered, and how answers are sent."""
