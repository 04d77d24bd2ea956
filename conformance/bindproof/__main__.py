"""`python -m bindproof` is the same as the `bindproof` command."""

import sys

from bindproof.cli import main

if __name__ == "__main__":
    sys.exit(main())
