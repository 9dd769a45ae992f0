"""Slow, obvious versions of what the kernels compute; they judge, they do not ship."""
