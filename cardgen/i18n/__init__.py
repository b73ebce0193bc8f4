"""Translations: PO files, what they cover, and a game in another language."""
