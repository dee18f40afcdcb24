// The duel by keyboard: keys and what they ask for.

export interface Commands {
  move(down: number, right: number): void;
  confirm(): void;
  cancel(): void;
  spell(slot: number): void;
  target(step: 1 | -1): void;
  end(): void;
  raise(): void;
  log(): void;
  help(): void;
}

const REPEATING = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "n", "p"]; // while they are held

const FROM_LOG = ["Escape", "j", "?"]; // what they ask for has nothing to do with scrolling

const KEYS: Record<string, (commands: Commands) => void> = {
  ArrowUp: (commands) => commands.move(-1, 0),
  ArrowDown: (commands) => commands.move(1, 0),
  ArrowLeft: (commands) => commands.move(0, -1),
  ArrowRight: (commands) => commands.move(0, 1),
  Enter: (commands) => commands.confirm(),
  Escape: (commands) => commands.cancel(),
  " ": (commands) => commands.end(),
  f: (commands) => commands.end(),
  s: (commands) => commands.raise(),
  n: (commands) => commands.target(1),
  p: (commands) => commands.target(-1),
  j: (commands) => commands.log(),
  "?": (commands) => commands.help(),
};

/** Listen to the whole page; the answer stops it. Fields, open dialogs, pressed buttons and the log, which
 *  scrolls, keep their keys. */
export function listen(commands: Commands): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const inside = (event.target as Element).closest("input, select, textarea, button, a, summary");
    const presses = event.key === "Enter" || event.key === " ";
    if (inside && (presses || inside.matches("input, select, textarea"))) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = KEYS[key];
    const slot = Number(key);
    if ((event.target as Element).closest(".log") && !FROM_LOG.includes(key)) return;
    if (event.repeat && !REPEATING.includes(key)) event.preventDefault();
    else if (act) act(commands);
    else if (slot >= 1 && slot <= 8) commands.spell(slot - 1);
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
