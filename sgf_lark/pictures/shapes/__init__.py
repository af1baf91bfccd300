"""Shapes of pictures: a font, places of points, boards, pieces and marks, as parts of an SVG."""
