import { expect, test } from "vitest";
import { appendTail, type TextTail } from "./text-tail.ts";

const whole = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join("");

/** Appends pieces of `whole` up to a cut, and again from some position to its end. Returns the kept end. */
function toldAgain(cut: number, again: number, most: number): TextTail | undefined {
  let tail: TextTail | undefined;
  for (let at = 0; at < cut; at += 5) tail = appendTail(tail, { offset: at, text: whole.slice(at, Math.min(at + 5, cut)) }, most);
  for (let at = again; at < whole.length; at += 13) tail = appendTail(tail, { offset: at, text: whole.slice(at, at + 13) }, most);
  return tail;
}

test("a text that arrives again after any cut, from any position, appears once", () => {
  for (const most of [16, 100, 10_000])
    for (let cut = 0; cut <= whole.length; cut += 7)
      for (let again = 0; again < whole.length; again += 11) {
        const { start = -1, text = "" } = toldAgain(cut, again, most) ?? {};
        expect({ most, cut, again, text }).toEqual({ most, cut, again, text: whole.slice(start) });
        expect(text.length).toBeLessThanOrEqual(most);
      }
});
