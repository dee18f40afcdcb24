// Plays a whole duel against an opponent: node example.js http://127.0.0.1:8000
import { Client, type Action, type State } from "./solwaris.js";

function choose(state: State): Action {
  const legal = state.legal!;
  for (const [slot, cells] of legal.cast.entries()) {
    if (cells.length) return { type: "cast", slot, cell: cells[0] };
  }
  if (legal.place.length) return { type: "place", cell: legal.place[0] };
  return { type: "pass" };
}

const client = new Client(process.argv[2]);
const duel = await client.create({ seats: [{ class: "brute" }, { player: "greedy" }], map: "caveau" });
const end = await client.seat(duel.duel, duel.secrets[0]).play(choose);
console.log(end.outcome!.termination, "winner:", end.outcome!.winner);
