"""Sets where a program looks for its libraries, before LD_LIBRARY_PATH."""

import sys

from elf import PackagingError, set_rpath

try:
    set_rpath(*sys.argv[1:])
except PackagingError as error:
    sys.exit(f"set_rpath: {error}")
