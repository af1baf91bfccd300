"""Calls from below: what methods call of higher modules, or of their own package seldom.

``late.pyi`` is the table of them: each name with its module, which is imported when a method first
needs it.  Methods of models, boards and pictures use it, and the judge of games for fixes; so a
game that is only loaded imports no boards and no pictures, and modules import each other in one
direction.
"""

from .lazy import load_names_lazily

load_names_lazily(__name__)
