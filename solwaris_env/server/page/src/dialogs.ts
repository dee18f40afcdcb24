// Dialogs: the help, and questions to be sure of.

import { button, h } from "./dom.ts";
import { t } from "./i18n.ts";

/** A modal dialog that goes once it is closed. */
function open(label: string, className: string, ...children: HTMLElement[]): HTMLDialogElement {
  const dialog = h("dialog", { class: `card ${className}`, "aria-label": label }, ...children);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** What the mouse, a finger and the keys do. */
export function showHelp(): void {
  const lines = [
    t("help.mouse"),
    t("help.touch"),
    t("help.touch.spell"),
    t("help.touch.look"),
    t("help.arrows"),
    t("help.enter"),
    t("help.spells"),
    t("help.targets"),
    t("help.escape"),
    t("help.end"),
    t("help.raise"),
    t("help.log"),
    t("help.help"),
  ];
  const items = lines.map((line) => h("li", {}, line));
  const dialog = open(
    t("help.title"),
    "help",
    h("h2", {}, t("help.title")),
    h("ul", {}, ...items),
    button({ class: "primary", "data-testid": "help-close" }, () => dialog.close(), t("app.close")),
  );
}

/** Ask before something that cannot be undone. */
export function askConfirmation(question: string, yes: string, testId: string): Promise<boolean> {
  return new Promise((answer) => {
    let agreed = false;
    const agree = (): void => {
      agreed = true;
      dialog.close();
    };
    const dialog = open(
      question,
      "question",
      h("h2", {}, question),
      h(
        "div",
        { class: "row" },
        button({ "data-testid": "cancel" }, () => dialog.close(), t("app.cancel")),
        button({ class: "danger", "data-testid": testId }, agree, yes),
      ),
    );
    dialog.addEventListener("close", () => answer(agreed));
  });
}
