"""Stage three: layouts filled with data become faces, and an engine draws and measures them."""
