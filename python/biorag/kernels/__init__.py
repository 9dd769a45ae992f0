"""The native kernels, with checked shapes and types; the only importer of `biorag._native`."""
