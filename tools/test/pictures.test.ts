import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const images = path.resolve(import.meta.dirname, "../../docs/images");

test("the recording of the terminal is an asciicast of a whole tour", () => {
  const [header, ...events] = readFileSync(path.join(images, "demo.cast"), "utf8")
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(header).toMatchObject({ version: 2, width: 100, height: 30 });
  const output = events.map((event) => event as [at: number, kind: string, text: string]); // checked below
  expect(output.filter(([at, kind, text]) => typeof at !== "number" || kind !== "o" || typeof text !== "string")).toEqual([]);
  const times = output.map(([at]) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const text = output.map(([, , piece]) => piece).join("");
  for (const request of ["Do you trust", "Change this file?", "Run this command?"]) expect(text).toContain(request);
});

test("every image in a document exists, and every image is in a document", () => {
  const root = path.resolve(import.meta.dirname, "../..");
  const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root });
  const used = pages.flatMap((page) =>
    Array.from(readFileSync(path.join(root, page), "utf8").matchAll(/!\[[^\]]+\]\(([^)]+)\)/g), ([, file = ""]) =>
      path.resolve(root, path.dirname(page), file),
    ),
  );
  expect(used.filter((file) => !existsSync(file))).toEqual([]);
  const unused = globSync("*.png", { cwd: images }).filter((file) => !used.includes(path.join(images, file)));
  expect(unused).toEqual([]);
});
