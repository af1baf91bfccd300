"""Archives of games: from files to tables, and answers from tables."""
