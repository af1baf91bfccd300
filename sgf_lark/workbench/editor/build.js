// Bundles entry.js, and collects the licences of all packages that are inside.
import { build } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const { metafile } = await build({
  entryPoints: ["entry.js"], outfile: "codemirror.js", bundle: true, minify: true, format: "esm",
  metafile: true, legalComments: "none",
  banner: { js: "// CodeMirror 6; its packages and their licences are in LICENSES.txt." },
});
const folders = Object.keys(metafile.inputs)
  .map(file => file.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]).filter(Boolean);
const licences = [...new Set(folders)].sort().map(folder => {
  const { name, version } = JSON.parse(readFileSync(folder + "/package.json", "utf8"));
  const text = readdirSync(folder).find(file => /^licen[cs]e/i.test(file));
  return `${name} ${version}\n\n${readFileSync(`${folder}/${text}`, "utf8").trim()}\n`;
});
writeFileSync("LICENSES.txt", licences.join(`\n${"-".repeat(80)}\n\n`));
