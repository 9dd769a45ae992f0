"""How well the engine finds what others judged relevant, and what it costs, beside its rivals."""
