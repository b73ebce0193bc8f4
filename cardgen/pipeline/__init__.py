"""The five steps in order: load, check, faces, sheets, write."""
