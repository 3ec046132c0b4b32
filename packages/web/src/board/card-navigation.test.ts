import { expect, test } from "vitest";
import { cardAfter } from "./card-navigation.ts";

const columns = [["a", "b", "c"], [], ["d"], ["e", "f"]];

test.each([
  ["a", "ArrowDown", "b"],
  ["c", "ArrowDown", undefined],
  ["b", "ArrowUp", "a"],
  ["c", "ArrowRight", "d"],
  ["d", "ArrowRight", "e"],
  ["f", "ArrowLeft", "d"],
  ["d", "ArrowLeft", "a"],
  ["b", "End", "c"],
  ["c", "Home", "a"],
  ["a", "Enter", undefined],
  ["gone", "ArrowDown", undefined],
])("from %s, %s leads to %s", (from, key, to) => expect(cardAfter(columns, from, key)).toBe(to));
