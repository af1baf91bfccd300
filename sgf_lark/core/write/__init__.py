"""Games to text to bytes."""
