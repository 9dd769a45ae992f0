"""The memory as one object over storage, index and recall."""
