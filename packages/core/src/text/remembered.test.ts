import { expect, test } from "vitest";
import { remembered } from "./remembered.ts";

test("a text is computed once, and again after 1,000 others", () => {
  const computed: string[] = [];
  const find = remembered((text) => {
    computed.push(text);
    return text === "none" ? undefined : text.length;
  });
  expect([find("abc"), find("abc"), find("none"), find("none")]).toEqual([3, 3, undefined, undefined]);
  expect(computed).toEqual(["abc", "none"]);
  for (let i = 0; i < 1_000; i++) find(`${i}`);
  find("abc");
  expect(computed.filter((text) => text === "abc")).toHaveLength(2);
});
