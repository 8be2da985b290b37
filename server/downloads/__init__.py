"""What people take away of their own data: built by a worker, kept for a day, handed out piece by piece."""
