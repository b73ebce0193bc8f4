"""The stage `write` for PDF: sheets to files, and pages to pictures. The libraries are imported when first needed."""
