import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { randomFrom } from "../../../../test/permission/nesting.ts";
import { nodesIn, parseShell } from "../shell/parse.ts";
import { withoutAffix } from "./without-affix.ts";
import { literal } from "./word.ts";

/** Returns the operation of an expansion such as `${x%.ts}`. */
function removalIn(expansion: string): Parameters<typeof withoutAffix>[1] | undefined {
  const script = parseShell(`echo ${expansion}`);
  const parts = script ? nodesIn(script).flatMap((node) => (node.type === "Word" ? (node.parts ?? []) : [])) : [];
  const [operation] = parts.flatMap((part) => (part.type === "ParameterExpansion" && part.operation ? [part.operation] : []));
  return operation?.type === "Remove" ? operation : undefined;
}

test("a removed prefix or suffix is the one that bash removes", () => {
  const random = randomFrom(3);
  const text = (characters: string, length: number) =>
    Array.from({ length: random(length) }, () => characters[random(characters.length)]).join("");
  const cases = Array.from({ length: 3_000 }, () => {
    const pattern = `${text("ab./", 4)}${["", "*"][random(2)]}${text("ab./", 3)}`;
    return { value: text("ab./ \n-", 9), expansion: `\${x${["%", "%%", "#", "##"][random(4)]}${pattern}}` };
  });
  const script = cases.map(({ value, expansion }) => `x='${value}'; printf '%s\\0' "${expansion}"`).join("\n");
  const printed = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
  const computed = cases.map(({ value, expansion }) => {
    const removal = removalIn(expansion);
    return removal && withoutAffix(literal(value), removal);
  });
  expect(computed).toEqual(printed);
});
