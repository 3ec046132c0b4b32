import { RegExpParser } from "@eslint-community/regexpp";
import { expect, test } from "vitest";
import { compileRegex, loadRegexEngine } from "./regex.ts";
import { compileLookahead } from "./compile-lookahead.ts";

const parser = new RegExpParser({ ecmaVersion: 2024 });

/** Pseudo-random numbers that are equal in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

function expression(draw: (below: number) => number, depth: number): string {
  const inner = () => expression(draw, depth - 1);
  const atoms = ["a", "b", "/", ".", "[ab]", "[^/]", "\\b", "^", "$", "\\w"];
  if (depth === 0) return atoms[draw(atoms.length)] ?? "a";
  switch (draw(8)) {
    case 0:
      return `(?!${inner()})`;
    case 1:
      return `(?=${inner()})`;
    case 2:
      return `(?:${inner()}|${inner()})`;
    case 3:
      return `(?:${inner()})${["*", "+", "?", "{2}", "{1,2}", "{0,}", "*?"][draw(7)]}`;
    default:
      return inner() + inner();
  }
}

test("an expression with lookaheads matches the same as JavaScript at every depth", () => {
  const draw = numbers(7);
  const texts = Array.from({ length: 60 }, () => Array.from({ length: draw(7) }, () => "ab/\r"[draw(4)]).join(""));
  const different: string[] = [];
  let matched = 0;
  for (let i = 0; i < 3_000; i++) {
    const pattern = expression(draw, 1 + (i % 4));
    const [ours, theirs] = [compileLookahead(pattern, parser), new RegExp(pattern)];
    for (const text of texts) {
      if (ours(text)) matched++;
      if (ours(text) !== theirs.test(text)) different.push(`${pattern} on ${text}`);
    }
  }
  expect(different).toEqual([]);
  expect(matched).toBeGreaterThan(10_000);
});

test("lookaheads of public mode files work in the middle, beside alternatives, in groups and when positive", async () => {
  await loadRegexEngine();
  const matching = (pattern: string, texts: string[]) => {
    const compiled = compileRegex(pattern);
    if (typeof compiled !== "function") throw new Error(compiled.fault);
    return texts.filter(compiled);
  };
  expect(
    matching(".*/handoffs/(?!x/).*\\.md$|^notes/.*\\.txt$", ["a/handoffs/x/b.md", "a/handoffs/y/b.md", "notes/a.txt", "a.md"]),
  ).toEqual(["a/handoffs/y/b.md", "notes/a.txt"]);
  expect(matching("^(?!src/secret).*\\.ts$", ["src/secret/a.ts", "src/a.ts"])).toEqual(["src/a.ts"]);
  expect(matching("(a(?!b))c", ["ac", "abc"])).toEqual(["ac"]);
  expect(matching("^(?=.*x).*y$", ["axby", "aby"])).toEqual(["axby"]);
});

test("an expression that cannot be matched in limited time is invalid, and a hostile one takes no longer than others", async () => {
  await loadRegexEngine();
  const nested = "((?=((?=((?=(a?){20})a){300})a){300})a){300}";
  const wide = `(?!x)${"(?:".repeat(300)}a${")*".repeat(300)}$`;
  for (const pattern of ["(?!x)(a)\\1", "(?<!x)y", "(?!a){0,4000}(?:b{90}){90}", nested, "(?!x)(a?){1600}$"])
    expect(compileRegex(pattern)).toHaveProperty("fault");
  const deep = compileRegex(wide);
  expect(typeof deep === "function" && deep("a".repeat(4_096))).toBe(true); // one pass over the text, at any depth of nesting
  const hostile = compileRegex("^(?!b)(a+)+(a|aa)+$");
  expect(typeof hostile === "function" && hostile(`${"a".repeat(4_000)}!`)).toBe(false); // JavaScript would never answer
});
