"""Positions: the boards, diagrams and figures of a record, node by node."""
