"""Kernels: WebAssembly written by Python, run by wasmtime on the server and by the browser in its worker."""
