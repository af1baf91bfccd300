"""Pictures: a diagram as data, and the renderers that show it as text, SVG, HTML or PDF."""
