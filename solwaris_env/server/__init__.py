"""Opponents for other frontends: hosted duels, decisions, the catalogue, and a page to play on.

`solwaris serve` runs it; `app.make_app` is the ASGI application. Needs the extra `serve`.
"""
