// The server behind the page, and what this browser remembers of its duels.

import { Client, ServerError, type NewDuel, type Seat } from "../../clients/typescript/solwaris.ts";
import { isKey, t } from "./i18n.ts";
import type { Catalogue } from "./types.ts";

const SECRETS = "solwaris.secrets";
const INVITES = "solwaris.invites";
const SETTINGS = "solwaris.settings";
const MOST_DUELS = 20; // that are remembered
const PACE = 0.5; // seconds between an opponent's actions, so that people can follow

export const client = new Client(new URL(".", document.baseURI).href);

/** The sheets of the rules, and the opponents on offer beside them. */
export async function loadCatalogue(): Promise<Catalogue> {
  const sheets = client.call<Omit<Catalogue, "opponents">>("GET", "/v1/catalogue");
  const [rules, opponents] = await Promise.all([sheets, client.opponents()]);
  return { ...rules, opponents };
}

/** Begin a duel in which this browser plays a seat; the answer is its number. */
export async function begin(wish: NewDuel, seat: number): Promise<string> {
  const made = await client.create({ pace: PACE, ...wish });
  remember(SECRETS, made.duel, made.secrets[seat] ?? "");
  const others = made.secrets.flatMap((secret, other) => (secret === null || other === seat ? [] : [[other, secret]]));
  if (others.length) remember(INVITES, made.duel, Object.fromEntries(others));
  return made.duel;
}

/** Take the seat that an invitation opens, unless this browser plays one of the duel already. */
export function join(duel: string, secret: string): void {
  if (!recall<string>(SECRETS, duel)) remember(SECRETS, duel, secret);
}

/** Leave the seat that a wrong secret did not open, for an invitation that does. */
export function forget(duel: string): void {
  remember(SECRETS, duel, null);
}

/** The secrets, by seat, that this browser has to hand on. */
export function invitesOf(duel: string): Record<number, string> {
  return recall<Record<number, string>>(INVITES, duel) ?? {};
}

/** The link that opens a seat; what stands behind "#" is sent to no server. */
export function inviteLink(duel: string, secret: string): string {
  return `${location.origin}${location.pathname}#/join/${duel}/${secret}`;
}

export function keepSettings(wish: NewDuel): void {
  write(SETTINGS, wish);
}

/** The settings of the last duel that was set up here. */
export function lastSettings(): NewDuel | null {
  return read<NewDuel>(SETTINGS);
}

/** The seat that this browser holds in a duel; a spectator's where it holds none. */
export function seatOf(duel: string): Seat {
  return client.seat(duel, recall<string>(SECRETS, duel));
}

/** A sentence for whatever went wrong. */
export function fault(error: unknown): string {
  if (!(error instanceof ServerError)) return t("error.network");
  return faultOf(error.code, error.message);
}

/** A sentence for an error of the server by its code. */
export function faultOf(code: string, message: string): string {
  const key = `error.${code}`;
  if (code === "invalid") return t("error.invalid", { message });
  if (isKey(key) && key !== "error.invalid" && key !== "error.unknown") return plain(key);
  return t("error.unknown", { message });
}

// an error's sentence without holes
function plain(key: string): string {
  return t(key as "error.network");
}

// storage may be forbidden: what was written then lasts as long as the page
const written = new Map<string, unknown>();

function read<T>(name: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") as T | null;
  } catch {
    return (written.get(name) as T | undefined) ?? null;
  }
}

// what is kept of the duels seen last

function recall<T>(name: string, duel: string): T | null {
  return read<Record<string, T>>(name)?.[duel] ?? null;
}

function remember(name: string, duel: string, value: unknown): void {
  const known = Object.entries(read<Record<string, unknown>>(name) ?? {});
  write(name, Object.fromEntries([...known, [duel, value]].slice(-MOST_DUELS)));
}

function write(name: string, value: unknown): void {
  written.set(name, value);
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    return;
  }
}
