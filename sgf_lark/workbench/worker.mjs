// A worker of the page: it answers its questions, and says once that it can.
import { begin } from "./python.mjs";

const bytes = async name => new Uint8Array(await (await fetch(name)).arrayBuffer());
const answer = await begin(bytes);
onmessage = ({ data }) => postMessage(answer(data));
postMessage("");
