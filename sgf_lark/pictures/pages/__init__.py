"""Pages: games as HTML that needs nothing else, and as PDF."""
