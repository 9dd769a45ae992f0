"""Words: what the languages know of them, and how they spell them."""
