// Choose an action with an exported policy, in plain JavaScript: no server, no build step.
// `ort` is onnxruntime-web; a policy takes int8 or float boards as its file says.

/** Load a policy; `url` may be relative to the page. Returns a function for `choose`. */
export async function loadPolicy(ort, url) {
  const session = await ort.InferenceSession.create(url, { executionProviders: ["wasm"] });
  const types = Object.fromEntries(session.inputMetadata.map((item) => [item.name, item.type]));
  return { ort, session, types };
}

function tensor(policy, name, values, dims) {
  const whole = policy.types[name] === "int8";
  const data = whole ? Int8Array.from(values) : Float32Array.from(values);
  return new policy.ort.Tensor(whole ? "int8" : "float32", data, dims);
}

// Where each kind of action begins: cast, go, pass, raise, forfeit; and where all end.
const KINDS = [0, 4032, 4536, 4537, 4538, 4539];

/**
 * The index of the best legal action of the likeliest kind.
 * board: 32 x 18 x 28 numbers in a row, scalars: 235 numbers, mask: 4539 zeros and ones.
 */
export async function choose(policy, board, scalars, mask) {
  const { logits } = await policy.session.run({
    board: tensor(policy, "board", board, [1, board.length / 504, 18, 28]),
    scalars: tensor(policy, "scalars", scalars, [1, scalars.length]),
  });
  const values = logits.data;
  const highest = values.reduce((top, value, a) => (mask[a] ? Math.max(top, value) : top), -1e9);
  let chosen = -1;
  let likeliest = 0;
  for (let kind = 0; kind + 1 < KINDS.length; kind += 1) {
    let chance = 0;
    let best = -1;
    for (let action = KINDS[kind]; action < KINDS[kind + 1]; action += 1) {
      if (!mask[action]) continue;
      chance += Math.exp(values[action] - highest);
      if (best < 0 || values[action] > values[best]) best = action;
    }
    if (chance > likeliest) [chosen, likeliest] = [best, chance];
  }
  return chosen;
}
