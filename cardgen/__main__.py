"""`python -m cardgen`."""

from cardgen.cli import entry

entry()
