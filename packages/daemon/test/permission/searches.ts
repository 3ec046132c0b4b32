import { OPERANDS, type Random } from "./lines.ts";

/** Globs of rg in many forms: names and paths, hidden ones, alternatives, excluded ones, and forms that few people know. */
const GLOBS =
  "* *.txt src/** secrets/* **/db.txt .* {src,secrets}/* !*.txt !**/.env /src/* src/ secrets .env* *.env ** s*/** ?ecrets/* deep/* sub/../secrets/* ./src/* link/* [s]* \\*.txt */ protected/.e*".split(
    " ",
  );
/** Flags of rg, and some of their values. Some flags are in no table of the gate. */
const FLAGS =
  "-t sh|-t txt|-tall|-T txt|--type=sh|--type-not sh|-u|-uu|-uuu|--hidden|-.|--no-ignore|-l|-c|-q|--files|-L|-n|-i|--no-hidden|--iglob '*.TXT'|--glob-case-insensitive|--type-list|-tmd|-tconfig|--count-matches|--files-without-match|--sort path|-j1|-d1|--one-file-system|--stats|-e x|-ex|--json|-0|--type-clear txt|--type-add 'z:*.txt'|--ignore-file README.md|-f src/a.ts|--follow".split(
    "|",
  );
const BEHIND = ["xargs cat", "head", "xargs wc -l"];

/** A search with rg: up to four flags and globs, and up to two places. */
export function randomSearchLine(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T; // no list here is empty
  const flag = () => (random(2) === 0 ? pick(FLAGS) : `${pick(["-g ", "--glob=", "-g", "--glob ", "-ng "])}'${pick(GLOBS)}'`);
  const flags = Array.from({ length: 1 + random(4) }, flag);
  const places = Array.from({ length: random(3) }, () => pick(OPERANDS));
  const search = ["rg", ...flags, "x", ...places].join(" ");
  return random(4) === 0 ? `${search} | ${pick(BEHIND)}` : search;
}
