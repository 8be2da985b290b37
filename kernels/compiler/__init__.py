"""The compiler from the typed subset of Python that kernels are written in to WebAssembly."""
