"""What is said about a kernel that cannot be compiled: where, what is wrong, and what to write instead."""


class KernelError(Exception):
    """A function is not written in the language of kernels. The message begins with file, line and column."""

    def __init__(self, file: str, line: int, column: int, reason: str) -> None:
        super().__init__(f"{file}:{line}:{column}: {reason}")
        self.file = file
        self.line = line
        self.column = column
        self.reason = reason
