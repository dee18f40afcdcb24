"""A window that shows a duel, for render_mode "human"; needs pygame and Pillow."""

import os
import sys

from .frame import DEFAULT_SIZE, render_frame

_NO_DISPLAY = (
    "solwaris: no display was found, so no window is shown; "
    'render_mode "rgb_array" or "ansi" works without one'
)


class Window:
    """Shows JSON views in a window of its own.

    `open` is False once the person has closed the window, after `close()`, and where
    there is no display: then one sentence has gone to standard error, and `show` does
    nothing. Raises ImportError with a hint where pygame is missing.
    """

    def __init__(
        self, title: str = "Solwaris", size: tuple[int, int] = DEFAULT_SIZE, fps: float = 4.0
    ) -> None:
        # pygame greets on standard output, which may carry JSON.
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame
        except ImportError as error:
            raise ImportError(
                'render_mode "human" needs pygame, which is not installed; '
                "install it with: pip install 'solwaris[render]'"
            ) from error
        self._pygame = pygame
        self._fps = fps
        self._screen = None
        self.open = False
        if not _display_in_sight():
            print(_NO_DISPLAY, file=sys.stderr)
            return
        try:
            pygame.display.init()
            self._screen = pygame.display.set_mode(size, pygame.RESIZABLE)
        except pygame.error:
            pygame.display.quit()
            print(_NO_DISPLAY, file=sys.stderr)
            return
        pygame.display.set_caption(title)
        self._clock = pygame.time.Clock()
        self.open = True

    def show(self, view: dict) -> None:
        """Draws the view at the window's present size and keeps to `fps` pictures a second."""
        self.poll()
        if not self.open:
            return
        pygame, screen = self._pygame, self._screen
        wide, high = screen.get_size()
        frame = render_frame(view, (max(wide, 320), max(high, 200)))
        screen.blit(pygame.surfarray.make_surface(frame.swapaxes(0, 1)), (0, 0))
        pygame.display.flip()
        if self._fps > 0:
            self._clock.tick(self._fps)
        self.poll()

    def poll(self) -> None:
        """Answers the window system; closes the window when the person asks for it."""
        if self.open and any(event.type == self._pygame.QUIT for event in self._pygame.event.get()):
            self.close()

    def close(self) -> None:
        """Closes the window; may be called more than once."""
        if self._screen is not None:
            self._screen = None
            self._pygame.display.quit()
        self.open = False


def _display_in_sight() -> bool:
    """Whether a window can be shown: on Linux a driver or a display server is named."""
    if not sys.platform.startswith("linux"):
        return True
    names = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    return any(os.environ.get(name) for name in names)
