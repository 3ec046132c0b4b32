import { builtinModules } from "node:module";

/** What code in a language may name: values and functions, members of values, and names that it gives to values of its own. */
type Language = { names: ReadonlySet<string>; members: ReadonlySet<string>; facts: RegExp; given: RegExp };

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const javascript: Language = {
  names: set(
    "console Math JSON Object Array String Number Boolean Date Set Map parseInt parseFloat isNaN new const let var true false null undefined NaN Infinity",
  ),
  members: set(
    `log error table info stringify parse keys values entries fromEntries length map filter reduce join split slice sort reverse push includes
    indexOf replace replaceAll trim toUpperCase toLowerCase padStart padEnd repeat max min floor ceil round abs pow sqrt log2 random toFixed
    toString toISOString now getTime concat flat flatMap some every find forEach charCodeAt charAt fromCharCode codePointAt startsWith endsWith
    substring at from of isArray isInteger has get add size fill PI`,
  ),
  facts: /\bprocess\.(version|versions\.\w+|platform|arch|pid)\b/g,
  given: /\b(?:const|let|var)\s+([\w$]+)\s*=|\b([\w$]+)\s*=>|\(([\w$,\s]*)\)\s*=>/g,
};

const python: Language = {
  names: set(
    `print len range sum min max sorted reversed list dict set tuple str int float bool abs round enumerate zip map filter any all chr ord hex
    bin oct repr divmod pow True False None for in if else not and or`,
  ),
  members: set(
    "split join upper lower strip replace startswith endswith count index append extend items keys values sort reverse zfill ljust rjust title find",
  ),
  facts: /^import sys\s*[;\n]|\bsys\.(version|version_info|platform|executable)\b/g,
  given: /\bfor\s+([\w,\s]+?)\s+in\b|^\s*(\w+)\s*=(?!=)/gm,
};

/** No name of this length is a function of either language that runs code. A longer one could mean something else outside of its block. */
const MAX_NAME = 3;

/** Comments and long texts, in which a quote is no quote; members that lead to other code; and patterns that take values apart. */
const HIDING = /\/[/*]|"""|'''|constructor|prototype|__|[}\]]\s*\)?\s*=(?!=)|\\[^nrt"'\\]/;

const TOKEN =
  /(?<blank>\s+)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<number>\d[\w.]*)|(?<name>[A-Za-z_$][\w$]*)|[-+*/%<>=!?:.,;(){}[\]&|]/y;

/**
 * Whether code in JavaScript or Python does nothing but compute and print: it names nothing but what is listed here and what it names
 * itself, and takes members by their names only. Any other code is not understood.
 */
export function onlyPrints(language: "javascript" | "python", code: string): boolean {
  const { names, members, facts, given } = language === "javascript" ? javascript : python;
  if (HIDING.test(code) || !/\b(console\.\w+|print)\(/.test(code)) return false;
  const text = code.replaceAll(facts, " 0 ");
  const named = [...text.matchAll(given)].flatMap((groups) => groups.slice(1).flatMap((each) => each?.split(/[,\s]+/) ?? []));
  const own = new Set(named.filter((name) => name.length <= MAX_NAME && !(name in globalThis) && !builtinModules.includes(name)));
  const tokens: { text: string; kind: string }[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const found = TOKEN.exec(text);
    if (!found) return false;
    const kind = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? "sign";
    if (kind !== "blank") tokens.push({ text: found[0], kind });
  }
  return tokens.every((token, i) => {
    const [before, after] = [tokens[i - 1], tokens[i + 1]];
    const isBehindValue = before !== undefined && (before.kind !== "sign" || /^[)\]}]$/.test(before.text));
    if (token.kind === "name") {
      if (before?.text === ".") return members.has(token.text);
      const isKey = language === "javascript" && after?.text === ":" && (before?.text === "{" || before?.text === ",");
      return isKey || names.has(token.text) || own.has(token.text);
    }
    if (token.text === "/") return isBehindValue; // elsewhere it begins a pattern, in which a quote is no quote
    if (token.text === "[" && isBehindValue && !/^(in|if|else|not|and|or)$/.test(before.text))
      return after?.kind === "number" && tokens[i + 2]?.text === "]";
    return token.kind !== "text" || before?.kind !== "name" || names.has(before.text); // `f"{x}"` runs what is in it
  });
}
