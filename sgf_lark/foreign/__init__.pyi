from .registry import (
    ForeignFormat as ForeignFormat,
    find_format as find_format,
    known_formats as known_formats,
    register_format as register_format,
)
from .transformer import RecordTransformer as RecordTransformer

SUFFIXES: tuple[str, ...]
