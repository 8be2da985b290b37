"""Programs that other people write: they speak a line protocol in JSON, and somebody outside runs them."""
