import { expect, test } from "vitest";
import { rankFiles } from "./rank-files.ts";

const order = (ranks: Float64Array) => [...ranks.keys()].toSorted((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0));

test("a file to which many others refer comes first, and then the file to which that one refers", () =>
  expect(order(rankFiles([[1], [2], [], [1], [1]])).slice(0, 2)).toEqual([2, 1]));

test("with a question, the file that answers it comes first, and then those to which it refers", () => {
  const links = [[1], [2], [], [1], [4], []];
  expect(order(rankFiles(links, Float64Array.from([0, 0, 0, 0, 1, 0])))[0]).toBe(4);
  expect(order(rankFiles(links, Float64Array.from([1, 0, 0, 0, 0, 0]))).slice(0, 2)).toEqual([0, 1]);
});

test.each([[[]], [[[]]], [[[0]]], [[[1], [0]]], [Array.from({ length: 50 }, (_, i) => [(i * 7) % 50, (i * 3) % 50])]])(
  "ranks sum up to one in %j",
  (links) => {
    const sum = rankFiles(links).reduce((total, rank) => total + rank, 0);
    expect(sum).toBeCloseTo(links.length === 0 ? 0 : 1);
  },
);
