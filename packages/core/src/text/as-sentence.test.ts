import { expect, test } from "vitest";
import { asSentence } from "./format.ts";

test.each([
  ["reading is enough", "reading is enough."],
  ["Reading is enough.", "Reading is enough."],
  [" why? ", "why?"],
  ["(it says so.)", "(it says so.)"],
  ["“as it is.”", "“as it is.”"],
  ["", ""],
])("%j ends as %j", (text, ended) => expect(asSentence(text)).toBe(ended));
