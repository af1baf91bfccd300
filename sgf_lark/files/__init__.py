"""Reading, checking and fixing files, one game after the other."""
