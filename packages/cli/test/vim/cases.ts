import path from "node:path";

/** Commands for vi at a place in a text. Each step is complete: vi drops the rest of a step that it cannot carry out. */
export type VimCase = { text: string; cursor: number; steps: readonly string[] };

/** The text and the cursor after a case. */
export type VimResult = readonly [text: string, cursor: number];

const TEXTS = [
  'foo bar-baz  (qux "a, b") end.x',
  "one two  \n\n  three, [four]\nx\n  \n   last.word two(more) ",
  "",
  "  a",
  "  two  \n\n end  \n  x",
  "Grüße, 'müde' [wörter]\nÄ b",
];

const MOTIONS = "h l j k w W b B e E ge gE 0 $ ^ _ gg G fo Fo to To f, F( t)".split(" ");
const COUNTED = "h l j k w b e $ G fo to _".split(" ");
const OBJECTS = ["w", "W", '"', "'", "(", "[", "b"];
const ESC = "\u001b";

const steps: readonly (readonly string[])[] = [
  ...MOTIONS.map((motion) => [motion]),
  ...COUNTED.flatMap((motion) => [[`2${motion}`], [`3${motion}`]]),
  ...["j", "k"].flatMap((line) => [
    ["$", line],
    ["$", line, line],
    [line, line],
  ]),
  ...MOTIONS.flatMap((motion) => [[`d${motion}`], [`c${motion}X${ESC}`], [`y${motion}`, "P"], [`d${motion}`, "p"]]),
  ...COUNTED.flatMap((motion) => [[`d2${motion}`], [`2c${motion}X${ESC}`]]),
  ...["fo", "to", "Fo", "To"].flatMap((find) => [
    [find, ";"],
    [find, ","],
    [find, "2;"],
    [find, "d;"],
  ]),
  ...OBJECTS.flatMap((object) =>
    ["i", "a"].flatMap((kind) => [[`d${kind}${object}`], [`c${kind}${object}X${ESC}`], [`y${kind}${object}`, "P"]]),
  ),
  ...OBJECTS.flatMap((object) => [[`vi${object}d`], [`va${object}y`, "P"]]),
  ...["dd", "2dd", `ccX${ESC}`, `2ccX${ESC}`, "x", "3x", "X", "2X", "D", "2D", `CX${ESC}`, `sX${ESC}`, `2sX${ESC}`, `SX${ESC}`].map(
    (keys) => [keys],
  ),
  ...["~", "3~", "rX", "2rX", "J", "2J"].map((keys) => [keys]),
  ...["i", "a", "I", "A", "o", "O"].flatMap((keys) => [[`${keys}X${ESC}`], [`3${keys}ab${ESC}`], [`${keys}X${ESC}`, "."]]),
  ...["yy", "2yy", "Y", "yw", "dd", "dw", "x"].flatMap((keys) => [
    [keys, "p"],
    [keys, "P"],
    [keys, "2p"],
    [keys, "2P"],
  ]),
  ...["dw", "x", "dd", "D", "2x", "~", "rX", `cwX${ESC}`, "dfo", "J"].flatMap((keys) => [
    [keys, "."],
    [keys, "2."],
    [keys, "w", "."],
  ]),
  [`ciwX${ESC}`, "w", "."],
  ...["vd", "ved", "v$d", "vjd", "vkd", "Vd", "Vjd", `vecX${ESC}`, "vey", "v0d", "ve~", "verX", "veD", "v2l~", "vlloxd"].map((keys) => [
    keys,
  ]),
  ...["vey", "Vy", "vjy"].map((keys) => [keys, "P"]),
];

/** Steps whose cursor depends on how vi stores its undo. Only their text is compared. */
const undoing: readonly (readonly string[])[] = ["dw", "dd", "x", `cwX${ESC}`, `oX${ESC}`, "J", "p", "2dd", `AX${ESC}`].flatMap((keys) => [
  [keys, "u"],
  [keys, `iZ${ESC}`, "u"],
]);

export const comparesCursor = ({ steps: done }: VimCase): boolean => !done.some((step) => /^\d*u$/.test(step));

/** The results of vim that the unit test compares: some of all cases, so that the file stays small. */
export const RECORDED = path.join(import.meta.dirname, "recorded.json");
const RECORDED_EVERY = 13;
export const isRecorded = (index: number): boolean => index % RECORDED_EVERY === 0;

/** A result for the file: the cursor, and the text if it has changed. */
export const recordOf = ({ text }: VimCase, [after, cursor]: VimResult): number | [number, string] =>
  after === text ? cursor : [cursor, after];

/** Every command at every place of every text. */
export const vimCases = (): VimCase[] =>
  TEXTS.flatMap((text) => {
    const places = text.split("\n").reduce<{ at: number; found: number[] }>(
      ({ at, found }, line) => ({
        at: at + line.length + 1,
        found: [...found, ...Array.from({ length: Math.max(1, line.length) }, (_, i) => at + i)],
      }),
      { at: 0, found: [] },
    ).found;
    return places.flatMap((cursor) => [...steps, ...undoing].map((done) => ({ text, cursor, steps: done })));
  }).filter((each) => !takesNextLine(each));

/** After the last word of a line, `aw` of vi also takes the next line. Baton does not. */
const takesNextLine = ({ text, cursor, steps: [first = ""] }: VimCase): boolean =>
  /^.aw/i.test(first) && /^[ ]*(\n|$)/.test(text.slice(cursor));
