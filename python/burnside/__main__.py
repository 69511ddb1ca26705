"""`python -m burnside`: the command line."""

import sys

from burnside.cli import main

sys.exit(main())
