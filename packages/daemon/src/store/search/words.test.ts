import { expect, test } from "vitest";
import { fileWords, uniqueWords, wordOfFile, splitIntoWords } from "./words.ts";

const plain = (text: string) => splitIntoWords(text).map(({ word }) => word);

test.each([
  ["src/cart.ts", ["src", "cart", "ts"]],
  ["formatAge(x_1)", ["formatage", "x", "1"]],
  ["Café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]],
  ["購物車", ["購", "物", "車"]],
  ["a購b", ["a", "購", "b"]],
  ["⑴ ﷺ", ["1", "صلىاللهعليهوسلم"]],
  ["*** \u{E000} \u0301", []],
  ["x".repeat(100), ["x".repeat(40)]],
  ["\ud800lone", ["lone"]],
])("%j has the words %j", (text, expected) => {
  expect(plain(text)).toEqual(expected);
});

test("the fast path for ASCII finds the same words", () => {
  const ascii = `A cart, a_b x-y.z 42 ${"Long".repeat(20)}`;
  for (const text of [ascii, `${ascii} é`]) expect([...uniqueWords(text)]).toEqual([...new Set(plain(text))]);
});

test("each word has its position", () => {
  for (const text of ["To a café in 東京, once.", "e\u0301te\u0301 x"])
    for (const { word, start, end } of splitIntoWords(text)) expect(plain(text.slice(start, end))).toEqual([word]);
});

test("a file is found by each suffix of its path, with either separator, and by nothing else", () => {
  const indexed = new Set(fileWords("./shop/src/cart.ts"));
  const isFound = (path: string) => indexed.has(wordOfFile(path) ?? "");
  expect(["cart.ts", "src/cart.ts", "src\\cart.ts", "./src/cart.ts", "shop/src/Cart.ts"].filter((path) => !isFound(path))).toEqual([]);
  expect(["cart", "art.ts", "shop/cart.ts", "shop/src", "ts", "src.cart.ts", "other/src/cart.ts"].filter(isFound)).toEqual([]);
  expect(wordOfFile("./")).toBeUndefined();
});
