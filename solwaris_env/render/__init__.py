"""Pictures of a duel, drawn from the JSON view alone.

`text.render_text` draws for a terminal, `frame.render_frame` returns a picture,
`window.Window` shows one, `watch` plays a replay. Pillow and pygame are loaded
only when a picture or a window is asked for.
"""
