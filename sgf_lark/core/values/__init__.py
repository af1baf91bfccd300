"""Raw texts of values to typed values and back."""
