// Making elements by hand.

const SVG = "http://www.w3.org/2000/svg";

type Child = Node | string | null;
type Attributes = Record<string, string | number | boolean | null>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
}

/** An HTML element with attributes and children; texts become text nodes, never markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

const LEAST_GAP = 2;

/** Move a drawn text up until it stands clear of others. */
export function raise(label: SVGTextElement, others: readonly SVGTextElement[]): void {
  const boxes = others.map((other) => other.getBBox());
  for (let tries = boxes.length; tries > 0; tries -= 1) {
    const own = label.getBBox();
    const met = boxes.find((box) => box.x < own.x + own.width && own.x < box.x + box.width && box.y < own.y + own.height && own.y < box.y + box.height);
    if (!met) return;
    label.setAttribute("y", String(Number(label.getAttribute("y")) - (own.y + own.height - met.y) - LEAST_GAP));
  }
}

/** An SVG group from this page's own drawing, never from anything a server sent. */
export function drawing(markup: string, className: string): SVGGElement {
  const group = s("g", { class: className });
  group.innerHTML = markup;
  return group;
}

/** A picture from this page's own drawing; it is decoration: what it means stands beside it. */
export function picture(markup: string, className: string, viewBox: string): SVGSVGElement {
  const element = s("svg", { viewBox, class: className, "aria-hidden": "true" });
  element.innerHTML = markup;
  return element;
}

/** A button that calls `act`. */
export function button(attributes: Attributes, act: () => void, ...children: Child[]): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, ...children);
  element.addEventListener("click", act);
  return element;
}

/** Rebuild what stands inside `root`; the focus stays on what it was on, or goes `home` where that is gone. */
export function keepFocus(root: HTMLElement, home: HTMLElement, rebuild: () => void): void {
  const before = document.activeElement;
  const marks = ["data-testid", "data-slot", "data-fighter"].filter((name) => before?.hasAttribute(name));
  const inside = before !== null && root.contains(before);
  rebuild();
  if (!inside || (before.isConnected && before.checkVisibility())) return;
  const same = marks.map((name) => `[${name}="${before.getAttribute(name)}"]`).join("");
  const again = same === "" ? null : root.querySelector<HTMLElement>(same);
  if (again?.checkVisibility() && !again.matches(":disabled")) again.focus({ preventScroll: true });
  else home.focus({ preventScroll: true });
}

/** Whether the person asked for little movement. */
export function reducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
