"""Stage one: YAML and tables become frozen values that remember file, line and column."""
