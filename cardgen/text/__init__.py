"""Text in the wide sense: the expression sandbox, inline markup, fonts and their characters."""
