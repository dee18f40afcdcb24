"""Agents: random, greedy, and trained policies from ONNX files."""

from .base import Agent
from .make import make_agent

__all__ = ["Agent", "make_agent"]
