"""python3 -m aotscope is the program."""

import sys

from .program import main

sys.exit(main())
