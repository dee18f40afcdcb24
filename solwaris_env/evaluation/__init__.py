"""Evaluation: agents paired off on equal terms, rated, and their duels counted."""
