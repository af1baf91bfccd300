"""Findings: their rules, their catalogue, diagnostics, reports and errors."""
