"""The generated engine: parsers generated from Lark grammars."""
