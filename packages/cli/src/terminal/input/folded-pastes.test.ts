import { expect, test } from "vitest";
import { FoldedPastes } from "./folded-pastes.ts";
import { emptyInput, inputWith } from "./input-buffer.ts";

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join("\n");
const paste = (text: string) => ({ name: "paste", text });

test("a long paste is shown as its size and sent in full", () => {
  const pastes = new FoldedPastes();
  const input = pastes.edit(inputWith("look at "), paste(lines(5_000)));
  expect(input?.text).toBe("look at [Paste 1: 5,000 lines]");
  expect(pastes.expand(`${input?.text} please`)).toBe(`look at ${lines(5_000)} please`);
});

test("a short paste stays as it is, and a long line is folded", () => {
  const pastes = new FoldedPastes();
  expect(pastes.edit(emptyInput, paste(lines(3)))).toBeUndefined();
  expect(pastes.edit(emptyInput, paste("x".repeat(5_000)))?.text).toBe("[Paste 1: 5,000 characters]");
});

test("two pastes of the same size stay separate, and a dollar sign is not a placeholder", () => {
  const pastes = new FoldedPastes();
  const [first, second] = [`$& ${lines(20)}`, `$1 ${lines(20)}`];
  const one = pastes.edit(emptyInput, paste(first)) ?? emptyInput;
  const both = pastes.edit(one, paste(second));
  expect(pastes.expand(both?.text ?? "")).toBe(first + second);
});

test("Backspace after a paste deletes the whole paste", () => {
  const pastes = new FoldedPastes();
  const input = pastes.edit(inputWith("a "), paste(lines(50))) ?? emptyInput;
  expect(pastes.edit(input, { name: "backspace" }, "deleteLeft")).toEqual(inputWith("a "));
  expect(pastes.edit(inputWith("a "), { name: "backspace" }, "deleteLeft")).toBeUndefined();
});
