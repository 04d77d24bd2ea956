"""Turns the library's declarations into a module that cffi loads at once, without parsing them again.

Enters: the module's name, the header as the preprocessor leaves it, and the folder that cffi is installed in. Leaves:
the module in that folder. Must not know what the declarations mean. Call: `declare.py MODULE DECLARATIONS FOLDER`.
"""

from __future__ import annotations

import py_compile
import sys
from pathlib import Path

BESIDES = """
char *strdup(const char *text);
size_t strlen(const char *text);
struct mallinfo2 {
    size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
struct mallinfo2 mallinfo2(void);
int mallopt(int parameter, int value);
"""
"""What is called besides the header: what makes the strings that the library is to own, and counts them."""


def main(module: str, declarations: Path, folder: Path) -> None:
    """Write the module."""
    sys.path.insert(0, str(folder))
    from cffi import FFI  # type: ignore[import-not-found, import-untyped, unused-ignore]

    ffi = FFI()
    ffi.cdef(declarations.read_text("utf-8") + BESIDES)
    ffi.set_source(module, None)
    ffi.emit_python_code(str(folder / f"{module}.py"))
    py_compile.compile(str(folder / f"{module}.py"), doraise=True)  # else the first start would, after the seal is made


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
