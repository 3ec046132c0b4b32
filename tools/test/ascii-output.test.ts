import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asciiOutput } from "../ascii-output.ts";

let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), "baton-ascii-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The code of one file and its map, minified as in a release. */
async function built(source: string): Promise<{ code: string; map: SourceMap }> {
  const entry = path.join(folder, "entry.ts");
  writeFileSync(entry, source);
  const bundle = await rolldown({ input: entry, plugins: [asciiOutput()] });
  const { output } = await bundle.generate({ format: "esm", minify: true, sourcemap: true });
  const [chunk] = output;
  const map = output.find(({ fileName }) => fileName === `${chunk.fileName}.map`);
  if (map?.type !== "asset") throw new Error("there is no map");
  return { code: chunk.code, map: new SourceMap(JSON.parse(map.source.toString()) as ConstructorParameters<typeof SourceMap>[0]) };
}

const SOURCE = `
export const texts = ["–", "a😀b", \`…\${1 + 1}ü\`, "\\u00e9"];
export const found = ["–x", "😀", "é"].map((text) => [/[–—]/.test(text), /^😀$/u.test(text), /\\u00e9/.test(text)]);
export const last = () => Error("the end");
`;

test("a bundle contains only ASCII and does the same", async () => {
  const { code } = await built(SOURCE);
  expect(code).toMatch(/^[\0-\x7f]*$/);
  const load = (text: string) => import(`data:text/javascript,${encodeURIComponent(text)}`) as Promise<Record<string, unknown>>;
  const [made, plain] = [await load(code), await load(SOURCE)];
  expect(made["texts"]).toEqual(plain["texts"]);
  expect(made["found"]).toEqual(plain["found"]);
});

test("the source map follows the longer text", async () => {
  const { code, map } = await built(SOURCE);
  const lines = code.split("\n");
  const line = lines.findIndex((text) => text.includes("the end"));
  const entry = map.findEntry(line, (lines[line] ?? "").lastIndexOf("Error("));
  expect(entry).toMatchObject({ originalLine: 3, originalColumn: SOURCE.split("\n")[3]?.indexOf("Error(") });
});

test("the build fails if an escape would change the text", async () => {
  await expect(built("export const text = String.raw`–`;")).rejects.toThrow("String.raw");
});
