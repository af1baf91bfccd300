// Bundles entry.js, and lists the packages that are inside: their licences, and a bill of materials.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const { metafile } = await build({
  entryPoints: ["entry.js"], outfile: "codemirror.js", bundle: true, minify: true, format: "esm",
  metafile: true, legalComments: "none",
  banner: { js: "// CodeMirror 6; its packages and their licences are in LICENSES.txt." },
});
const folders = Object.keys(metafile.inputs)
  .map(file => file.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]).filter(Boolean);
const packages = [...new Set(folders)].sort().map(folder => {
  const { name, version, license } = JSON.parse(readFileSync(folder + "/package.json", "utf8"));
  const file = readdirSync(folder).find(file => /^licen[cs]e/i.test(file));
  return { name, version, license, text: readFileSync(`${folder}/${file}`, "utf8").trim() };
});
const licences = packages.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`);
writeFileSync("LICENSES.txt", licences.join(`\n${"-".repeat(80)}\n\n`));

const built = createHash("sha256").update(readFileSync("codemirror.js")).digest("hex");
const bill = {
  bomFormat: "CycloneDX", specVersion: "1.6", version: 1,
  metadata: { component: {
    type: "file", name: "sgf_lark/workbench/editor/codemirror.js",
    hashes: [{ alg: "SHA-256", content: built }],
  } },
  components: packages.map(({ name, version, license }) => ({
    type: "library", name, version, licenses: [{ license: { id: license } }],
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  })),
};
writeFileSync("editor.cdx.json", JSON.stringify(bill, null, 2) + "\n");
