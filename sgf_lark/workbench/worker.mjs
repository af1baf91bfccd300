// A worker of the page: it says how much of its files is here, once that it can answer, and answers.
import { begin } from "./python.mjs";

const fetched = fetch;
const sizes = await (await fetched("files.json")).json();
const whole = Object.entries(sizes).filter(([name]) => /\.(wasm|whl|zip)$/.test(name)).reduce((sum, [, size]) => sum + size, 0);
let loaded = 0, told = 0;

// Pyodide and python.mjs load what is large by it.
globalThis.fetch = async (...asked) => {
  const answer = await fetched(...asked);
  const count = new TransformStream({
    transform(bytes, to) {
      loaded += bytes.length;
      const percent = Math.min(100, Math.floor(100 * loaded / whole));
      if (percent > told) postMessage({ loaded: (told = percent) / 100 });
      to.enqueue(bytes);
    },
  });
  return new Response(answer.body.pipeThrough(count), answer);
};

const bytes = async name => new Uint8Array(await (await fetch(name)).arrayBuffer());
const answer = await begin(bytes);
onmessage = ({ data }) => postMessage(answer(data));
postMessage("");
