"""Cut guides for machines: the lines of a sheet, and the files that they are written to."""
