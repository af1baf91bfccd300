// Python with the packages of this folder, in a browser or in Node.
import { loadPyodide } from "./pyodide/pyodide.mjs";

/** Python; bytes gives those of a file of this folder. */
export async function load(bytes) {
  const files = JSON.parse(new TextDecoder().decode(await bytes("files.json")));
  const names = Object.keys(files).filter(name => name.startsWith("packages/"));
  const [python, ...archives] = await Promise.all([loadPyodide(), ...names.map(bytes)]);
  const extractDir = python.runPython("import sysconfig; sysconfig.get_path('purelib')");
  archives.forEach((archive, at) =>
    python.unpackArchive(archive, names[at].endsWith(".whl") ? "wheel" : "zip", { extractDir }));
  python.runPython("import importlib; importlib.invalidate_caches()");
  return python;
}

/** A function from a question to its answer, both JSON. */
export async function begin(bytes) {
  return (await load(bytes)).runPython("from sgf_lark.workbench.answers import reply; reply");
}
