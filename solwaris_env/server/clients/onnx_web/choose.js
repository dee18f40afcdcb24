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

/**
 * The index of the best legal action.
 * board: 32 x 18 x 28 numbers in a row, scalars: 235 numbers, mask: 4539 zeros and ones.
 */
export async function choose(policy, board, scalars, mask) {
  const { logits } = await policy.session.run({
    board: tensor(policy, "board", board, [1, board.length / 504, 18, 28]),
    scalars: tensor(policy, "scalars", scalars, [1, scalars.length]),
  });
  let best = -1;
  for (let action = 0; action < mask.length; action += 1) {
    if (mask[action] && (best < 0 || logits.data[action] > logits.data[best])) best = action;
  }
  return best;
}
