"""The generated engine: scanners made from Lark grammars."""
