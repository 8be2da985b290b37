"""Packs Python's standard library for the browser; run by stdlib.mjs inside Pyodide, whose own Python compiles it.

Pyodide's npm package carries source files, which every visitor's browser would compile at every start. Compiled modules
start more than twice as fast. They are stored without zip compression, which brotli then compresses better on the way.
"""

import importlib._bootstrap_external as bootstrap
import zipfile

# Tools for developers, servers and desktops, which rules and players never need.
LEFT_OUT = (
    "unittest/",
    "_pyrepl/",
    "pydoc",
    "pdb.",
    "doctest.",
    "xml/",
    "xmlrpc/",
    "http/",
    "wsgiref/",
    "sqlite3/",
    "cProfile.",
    "pstats.",
    "webbrowser.",
    "smtplib.",
    "imaplib.",
    "ftplib.",
    "poplib.",
    "mailbox.",
    "optparse.",
    "socketserver.",
    "ssl.",
    "asyncio/tools.",
    "asyncio/__main__.",
    "asyncio/windows_",
)
# Of the hundred character sets: what Python itself, zip files and identifiers of the network use.
CHARACTER_SETS = frozenset(
    {
        "__init__",
        "aliases",
        "ascii",
        "charmap",
        "cp437",
        "hex_codec",
        "idna",
        "iso8859_1",
        "latin_1",
        "punycode",
        "raw_unicode_escape",
        "undefined",
        "unicode_escape",
        "utf_16",
        "utf_16_be",
        "utf_16_le",
        "utf_32",
        "utf_8",
        "utf_8_sig",
    }
)


def wanted(name: str) -> bool:
    folder, _, module = name.rpartition("/")
    if folder == "encodings":
        return module.removesuffix(".py") in CHARACTER_SETS
    return not name.endswith("/") and not name.startswith(LEFT_OUT)


def pack(source: str, target: str) -> None:
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as packed:
        for name in sorted(filter(wanted, given.namelist())):
            content = given.read(name)
            if name.endswith(".py"):
                code = compile(content, f"/lib/python/{name}", "exec", dont_inherit=True, optimize=2)
                # Unchecked: there is no source beside it that could have changed.
                content = bytes(bootstrap._code_to_hash_pyc(code, bytes(8), checked=False))
                name += "c"
            packed.writestr(zipfile.ZipInfo(name), content)


pack("/given.zip", "/packed.zip")
