"""Exports: what a project looks like outside a printer."""
