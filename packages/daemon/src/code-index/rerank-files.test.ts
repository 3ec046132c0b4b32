import { expect, test } from "vitest";
import type { RankedFile } from "./find-excerpts.ts";
import { openReranker } from "./rerank-files.ts";

const found = (name: string, text: string): RankedFile => ({
  path: name,
  score: 1,
  excerpts: [{ from: 1, to: 1, symbol: undefined, lines: [text] }],
});

/** Texts about money and texts about animals have different directions. */
const vectorOf = (text: string): number[] => [(text.match(/cost|price/g) ?? []).length, (text.match(/dog|cat/g) ?? []).length, 0.1];

const files = [
  found("a", "the dog"),
  found("b", "the cat and the dog"),
  found("c", "nothing"),
  found("d", "the price"),
  found("e", "a cost"),
];
const names = (list: readonly RankedFile[]) => list.map(({ path }) => path);
const signal = new AbortController().signal;

test("files that are similar to the question move up, and no file is lost", async () => {
  const order = openReranker()({ name: "m", embed: async (texts) => texts.map(vectorOf) });
  const { found: ordered, note } = await order("what does it cost", files, signal);
  expect(note).toBeUndefined();
  expect(names(ordered)[0]).toBe("d");
  expect(names(ordered).indexOf("e")).toBeLessThan(names(ordered).indexOf("b"));
  expect(names(ordered).toSorted()).toEqual(names(files));
});

test("unchanged excerpts are embedded once for each model, and at most a thousand are kept", async () => {
  const asked: number[] = [];
  const open = openReranker();
  const embed = async (texts: readonly string[]) => {
    asked.push(texts.length);
    return texts.map(vectorOf);
  };
  await open({ name: "m", embed })("one", files, signal);
  await open({ name: "m", embed })("two", files, signal);
  await open({ name: "other", embed })("two", files, signal);
  expect(asked).toEqual([6, 1, 6]);
  for (let i = 0; i < 30; i++)
    await open({ name: "m", embed })(
      "one",
      Array.from({ length: 40 }, (_, n) => found(`${i}-${n}`, "x")),
      signal,
    );
  await open({ name: "m", embed })("one", files, signal);
  expect(asked.at(-1)).toBe(5); // the question was asked again in between, the files were not
});

test.each<[string, (texts: readonly string[], signal: AbortSignal) => Promise<number[][]>, RegExp]>([
  ["fails", () => Promise.reject(new Error("no key")), /m could not order the results \(no key\)/],
  ["answers with nothing", async () => [], /^$/],
  ["answers with odd numbers", async (texts) => texts.map(() => [NaN, 0]), /^$/],
])("a model that %s leaves every file in the results", async (_, embed, expected) => {
  const { found: ordered, note = "" } = await openReranker()({ name: "m", embed })("what does it cost", files, signal);
  expect(names(ordered)).toEqual(names(files));
  expect(note).toMatch(expected);
});

test("an interrupted search is not reported as a fault of the model", async () => {
  const stop = new AbortController();
  const order = openReranker()({
    name: "m",
    embed: (_, aborted) => new Promise((_resolve, fail) => aborted.addEventListener("abort", () => fail(new Error("aborted")))),
  });
  const ordering = order("cost", files, stop.signal);
  stop.abort();
  await expect(ordering).rejects.toThrow(/abort/i);
});
