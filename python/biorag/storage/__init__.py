"""The one store: a SQLite file, its schema, and functions from rows to values and back."""
