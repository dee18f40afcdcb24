// A client of `solwaris serve`, for browsers and for Node from 22 on. No dependencies: copy it.
// docs/server.md and docs/view.md of the project say what every field means.

export type Cell = [row: number, column: number];

export type Action =
  | { type: "place" | "go"; cell: Cell }
  | { type: "cast"; slot: number; cell: Cell }
  | { type: "pass" | "raise" | "forfeit" };

export interface NewSeat {
  player?: string; // "human" or an opponent's name
  name?: string;
  class?: string;
  loadout?: boolean[];
  purse?: number;
}

export interface NewDuel {
  seats: NewSeat[];
  map?: string;
  stakes?: number;
  seed?: number;
  clocks?: boolean;
  spectators?: boolean;
  wait?: boolean;
  pace?: number;
}

export interface Auction {
  drawn_camp: number;
  price: number;
  bidder: number | null;
}

export interface Hero {
  seat: number;
  class: string;
  variants: boolean[];
  placed: boolean;
  purse: number;
  cooldowns: number[];
  used: number[];
  turn_start: Cell | null;
  carried_ap: number;
  earned_ap: number;
  spells: string[];
  passive: string;
}

export interface Shown {
  alive: boolean;
  ap: number;
  mp: number;
  armour: number;
  resistance: number;
  power: number;
  range: number;
}

export interface Entity {
  index: number;
  kind: string; // "hero" or a summon's id
  class: string | null;
  camp: number;
  owner: number;
  cell: Cell | null;
  hp: number;
  max_hp: number;
  ap: number;
  mp: number;
  ap_lost: number;
  mp_lost: number;
  ap_debt: number;
  mp_debt: number;
  ap_gain: number;
  mp_gain: number;
  forced: boolean;
  invisible: boolean;
  serial: number;
  shown: Shown;
}

export interface Effect {
  kind: string;
  target: number;
  source: number;
  value: number;
  value2: number;
  turns: number;
  until: "turns" | "own_turn_end";
  cause: string | null;
}

export interface Trap {
  kind: string;
  owner: number;
  cell: Cell;
  turns: number;
  area: Cell[];
}

export interface View {
  schema: "solwaris-view";
  version: 1;
  rules: string;
  seat: number | null;
  phase: "placement" | "auction" | "fight" | "over";
  map: string;
  team_size: 1 | 2;
  stakes: number;
  to_act: number | null;
  actor: number | null;
  turn: number;
  tour: number;
  camp_turns: [number, number];
  next_camp: number | null;
  first_camp: number | null;
  auction: Auction;
  winner: number | null;
  termination: string | null;
  quitter: number | null;
  heroes: Hero[];
  entities: Entity[];
  effects: Effect[];
  traps: Trap[];
  bonuses: { kind: string; cell: Cell }[];
}

export interface Legal {
  go: Cell[];
  place: Cell[];
  cast: Cell[][]; // by slot, from 0 on
  pass: boolean;
  raise: boolean;
  forfeit: boolean;
}

export interface SeatState {
  seat: number;
  camp: number;
  player: string;
  name: string;
  present: boolean;
  resigned: boolean;
}

export interface Clock {
  kind: "placement" | "auction" | "turn" | "summon";
  seat: number;
  limit: number;
  left: number;
}

export interface Outcome {
  winner: number | null;
  termination: string;
  tours: number;
  rewards: number[];
  price_paid: number[];
  hp_share: number[];
  quitter: number | null;
  rewarded: boolean[];
  rating_counts: boolean[];
}

export interface State {
  duel: string;
  seq: number;
  seat: number | null;
  over: boolean;
  clocks: boolean;
  spectators: boolean;
  seats: SeatState[];
  waiting: number[]; // seats whose player has not come yet
  clock: Clock | null;
  away: { seat: number; left: number }[] | null;
  view: View;
  legal: Legal | null;
  outcome: Outcome | null;
  seed: string | null;
}

export interface GameEvent {
  kind: string;
  actor: number | null;
  actor_kind: string | null;
  target: number | null;
  target_kind: string | null;
  cause: string | null;
  cell: Cell | null;
  value: number | null;
  value2: number | null;
  text: string;
  what?: string;
}

export interface Step {
  seq: number;
  seat: number;
  action: Action | { type: "time_up" } | null;
  events: GameEvent[];
}

export interface Acted {
  seq: number;
  events: GameEvent[];
  state: State;
}

export interface Created {
  duel: string;
  secrets: (string | null)[];
  links: { state: string; socket: string };
  state: State;
}

export interface Choice {
  action: Action;
  text: string;
  probability: number | null;
}

export interface Decision extends Choice {
  value: number | null;
  alternatives: Choice[];
  legal_actions: number;
  opponent: string;
}

export interface Frame {
  seq: number;
  seat: number | null;
  action: Step["action"];
  text: string | null;
  events: GameEvent[];
  view: View;
}

export interface Texts {
  fr: string;
  en: string;
}

export interface Opponent {
  name: string;
  kind: "policy" | "search" | "scripted";
  title: Texts;
  about: Texts;
  level: string | null;
  rating: number | null;
  interval: string | null;
  scale: string | null;
  probabilities: boolean;
  metadata: Record<string, string>;
}

export type Message =
  | { type: "state"; state: State }
  | { type: "step"; step: Step; state: State }
  | { type: "presence"; seats: SeatState[]; away: State["away"] }
  | { type: "ack"; id: number | string | null; seq: number }
  | { type: "error"; id: number | string | null; error: { code: string; message: string } }
  | { type: "pong" };

/** A refusal: `code` to branch on, `status` of HTTP. */
export class ServerError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A server; `base` may have a path, e.g. `https://example.org/solwaris`. */
export class Client {
  readonly base: string;

  constructor(base = "http://127.0.0.1:8000") {
    this.base = base.replace(/\/+$/, "");
  }

  async call<T>(method: string, path: string, secret?: string | null, body?: unknown): Promise<T> {
    const headers: Record<string, string> = {};
    if (secret) headers["Authorization"] = `Bearer ${secret}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await fetch(this.base + path, { method, headers, body: text });
    const data = await answer.json().catch(() => null);
    if (answer.ok) return data as T;
    const fault = data?.error ?? { code: "unknown", message: `the server answered ${answer.status}` };
    throw new ServerError(answer.status, fault.code, fault.message);
  }

  async opponents(): Promise<Opponent[]> {
    return (await this.call<{ opponents: Opponent[] }>("GET", "/v1/opponents")).opponents;
  }

  create(wish: NewDuel): Promise<Created> {
    return this.call("POST", "/v1/duels", null, wish);
  }

  seat(duel: string, secret: string | null): Seat {
    return new Seat(this, duel, secret);
  }

  decide(opponent: string, view: View, alternatives = 0, temperature: number | null = null) {
    const wish = { opponent, view, alternatives, temperature };
    return this.call<Decision>("POST", "/v1/decisions", null, wish);
  }

  check(view: View): Promise<{ view: View; legal: Legal }> {
    return this.call("POST", "/v1/views", null, { view });
  }
}

/** A seat of a duel, or a spectator where the secret is null. */
export class Seat {
  readonly client: Client;
  readonly duel: string;
  readonly #secret: string | null;

  constructor(client: Client, duel: string, secret: string | null) {
    this.client = client;
    this.duel = duel;
    this.#secret = secret;
  }

  #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.client.call<T>(method, `/v1/duels/${this.duel}${path}`, this.#secret, body);
  }

  state(): Promise<State> {
    return this.#call("GET", "");
  }

  act(action: Action, seq?: number): Promise<Acted> {
    return this.#call("POST", "/actions", { action, seq });
  }

  resign(): Promise<Acted> {
    return this.#call("POST", "/resign");
  }

  events(since = 0): Promise<{ seq: number; steps: Step[] }> {
    return this.#call("GET", `/events?since=${since}`);
  }

  replay(): Promise<unknown> {
    return this.#call("GET", "/replay");
  }

  frames(from = 0, limit = 100, seat?: number): Promise<{ total: number; frames: Frame[] }> {
    const whose = seat === undefined ? "" : `&seat=${seat}`;
    return this.#call("GET", `/frames?from=${from}&limit=${limit}${whose}`);
  }

  /** Follow the duel; the socket is not opened anew when it closes. */
  follow(onMessage: (message: Message) => void, onClose?: (code: number) => void, since?: number): Socket {
    const address = `${this.client.base.replace(/^http/, "ws")}/v1/duels/${this.duel}/socket`;
    const socket = new WebSocket(address);
    socket.onopen = () => {
      const hello: Record<string, unknown> = { type: "hello", secret: this.#secret };
      if (since !== undefined) hello["since"] = since;
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = (event) => onMessage(JSON.parse(String(event.data)) as Message);
    socket.onclose = (event) => onClose?.(event.code);
    return new Socket(socket);
  }

  /** Play to the end; `choose` is asked whenever the seat is to act. */
  play(choose: (state: State) => Action): Promise<State> {
    return new Promise((resolve, reject) => {
      let answered = -1;
      const socket = this.follow(
        (message) => {
          if (message.type === "error") {
            reject(new ServerError(0, message.error.code, message.error.message));
            socket.close();
          }
          if (!("state" in message)) return;
          const state = message.state;
          if (state.over) {
            resolve(state);
            socket.close();
          } else if (state.legal && state.seq > answered) {
            answered = state.seq;
            socket.act(choose(state), state.seq);
          }
        },
        (code) => reject(new ServerError(0, String(code), "the socket closed before the end")),
      );
    });
  }
}

export class Socket {
  readonly #socket: WebSocket;
  #sent = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Send an action; the id comes back in its ack or error. */
  act(action: Action, seq?: number): number {
    this.#sent += 1;
    this.#socket.send(JSON.stringify({ type: "action", id: this.#sent, action, seq }));
    return this.#sent;
  }

  resign(): number {
    this.#sent += 1;
    this.#socket.send(JSON.stringify({ type: "resign", id: this.#sent }));
    return this.#sent;
  }

  ping(): void {
    this.#socket.send(JSON.stringify({ type: "ping" }));
  }

  close(): void {
    this.#socket.close();
  }
}
