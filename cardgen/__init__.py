"""cardgen: print-ready cards and components from YAML data and Jinja layouts.

The public entry points (load, check, build and the error type) are stated here as they arrive;
everything else is internal and may move.
"""

__version__ = "0.1.0"
