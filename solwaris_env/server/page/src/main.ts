// The page's screens, by the address after "#": set-up, a duel, its replay.

import "./style.css";

import { fault, join, loadCatalogue, seatOf } from "./api.ts";
import { button, h } from "./dom.ts";
import { openDuel } from "./duel.ts";
import { LANGUAGES, language, onLanguage, setLanguage, t } from "./i18n.ts";
import { showProblem, wayAgain } from "./problem.ts";
import { openReplay } from "./replay.ts";
import { openSetup } from "./setup.ts";
import type { Catalogue } from "./types.ts";

const app = document.getElementById("app") as HTMLElement;
const screen = h("div", { class: "screen" });
let leave: () => void = () => undefined;
let catalogue: Catalogue | null = null;

function topBar(): HTMLElement {
  const choices = LANGUAGES.map((choice) =>
    button(
      {
        class: "language",
        lang: choice,
        "data-testid": `language-${choice}`,
        "aria-pressed": String(choice === language()),
        "aria-label": t(`app.language.${choice}`),
      },
      () => setLanguage(choice),
      choice.toUpperCase(),
    ),
  );
  return h(
    "nav",
    { class: "top-bar" },
    h("a", { href: "#/", class: "logo" }, h("span", { "aria-hidden": "true" }, "✦ "), t("app.title")),
    h("div", { class: "languages", role: "group", "aria-label": t("app.language"), "data-testid": "language" }, ...choices),
  );
}

function route(): { name: string; duel: string } {
  const [, name = "", duel = "", secret = ""] = location.hash.split("/");
  if (name !== "join" || !secret) return { name, duel };
  join(duel, secret);
  history.replaceState(null, "", `#/duel/${duel}`); // so that nobody reads the secret over a shoulder
  return { name: "duel", duel };
}

function show(): void {
  leave();
  leave = () => undefined;
  document.documentElement.lang = language();
  document.title = t("app.title");
  app.replaceChildren(topBar(), screen);
  const { name, duel } = route();
  document.body.dataset["screen"] = name || "setup";
  if (!catalogue) return;
  if (name === "duel" && duel) leave = openDuel(screen, catalogue, seatOf(duel));
  else if (name === "replay" && duel) leave = showReplay(catalogue, duel);
  else leave = openSetup(screen, catalogue);
}

function showReplay(sheets: Catalogue, duel: string): () => void {
  screen.replaceChildren();
  const replay = openReplay(screen, duel, { catalogue: sheets, leave: () => (location.hash = `#/duel/${duel}`) });
  return () => replay.close();
}

async function start(): Promise<void> {
  screen.replaceChildren(h("p", { class: "loading" }, t("app.loading")));
  app.replaceChildren(topBar(), screen);
  try {
    catalogue = await loadCatalogue();
    show();
  } catch (error) {
    showProblem(screen, fault(error), wayAgain(() => void start()));
  }
}

addEventListener("hashchange", show);
onLanguage(show);
void start();
