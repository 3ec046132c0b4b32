import type { EditCall, Files } from "./call-types.ts";
import {
  dedentedBy,
  escapedTwice,
  indentedBy,
  mapLines,
  sharedIndent,
  unitOf,
  withEntities,
  withEscapedQuotes,
  withHardBlanks,
  withIndentUnit,
  withNumbers,
  withReturns,
  withTrailingBlanks,
  withTypography,
} from "./distort.ts";
import { samples, type Sample } from "./samples.ts";

/** A call that means the exact edit of a sample, and the file if it differs from the sample's. */
type Variant = { old: string; now: string; before?: string; after?: string; orAfter?: string; path?: string };

/** Undefined if the distortion would change nothing. */
type Distortion = { name: string; make: (sample: Sample) => Variant | undefined };

const lineOf = ({ text, old }: Sample): number => text.slice(0, text.indexOf(old)).split("\n").length;
const both = ({ old, now }: Sample, change: (text: string) => string): Variant => ({ old: change(old), now: change(now) });
const ifChanged = (sample: Sample, variant: Variant): Variant | undefined => (variant.old === sample.old ? undefined : variant);
const numbered = (sample: Sample, show: (number: number) => string): Variant =>
  both(sample, (text) => withNumbers(text, lineOf(sample), show));

const distortions: readonly Distortion[] = [
  { name: "exact", make: ({ old, now }) => ({ old, now }) },
  { name: "exact, with the line end", make: ({ old, now }) => ({ old: `${old}\n`, now: `${now}\n` }) },
  { name: "a path with ./", make: ({ old, now, path }) => ({ old, now, path: `./${path}` }) },
  { name: "blanks at the ends of lines in the call", make: ({ old, now }) => ({ old: withTrailingBlanks(old), now }) },
  {
    name: "blanks at the ends of lines in the file",
    make: ({ text, old, now }) => {
      const oldLines = new Set(old.split("\n"));
      return {
        old,
        now,
        before: text.replace(old, () => withTrailingBlanks(old)),
        after: text.replace(old, () => mapLines(now, (line) => (oldLines.has(line) ? withTrailingBlanks(line) : line))),
        orAfter: text.replace(old, () => now),
      };
    },
  },
  {
    name: "Windows line ends in the file",
    make: ({ text, old, now }) => ({ old, now, before: withReturns(text), after: withReturns(text.replace(old, () => now)) }),
  },
  { name: "Windows line ends in the call", make: (sample) => both(sample, withReturns) },
  {
    name: "no indentation",
    make: (sample) =>
      ifChanged(
        sample,
        both(sample, (text) => dedentedBy(text, sharedIndent(sample.old))),
      ),
  },
  { name: "one level more", make: (sample) => both(sample, (text) => indentedBy(text, unitOf(sample.text))) },
  {
    name: "spaces for tabs, or tabs for spaces",
    make: (sample) => {
      const unit = unitOf(sample.text);
      return ifChanged(
        sample,
        both(sample, (text) => withIndentUnit(text, unit, unit === "\t" ? "    " : "\t")),
      );
    },
  },
  {
    name: "another width of a level",
    make: (sample) => {
      const unit = unitOf(sample.text);
      if (unit === "\t") return undefined;
      return ifChanged(
        sample,
        both(sample, (text) => withIndentUnit(text, unit, unit.length === 2 ? "    " : "  ")),
      );
    },
  },
  { name: "line numbers and a tab", make: (sample) => numbered(sample, (number) => `${number}\t`) },
  { name: "line numbers, a bar and a space", make: (sample) => numbered(sample, (number) => `${String(number).padStart(5, "0")}| `) },
  { name: "line numbers and a colon", make: (sample) => numbered(sample, (number) => `${number}: `) },
  { name: "line numbers and an arrow", make: (sample) => numbered(sample, (number) => `${String(number).padStart(6)}\u2192`) },
  {
    name: "line numbers in the old text only",
    make: (sample) => ({ old: withNumbers(sample.old, lineOf(sample), (number) => `${number}\t`), now: sample.now }),
  },
  { name: "a code fence", make: (sample) => both(sample, (text) => `\`\`\`\n${text}\n\`\`\``) },
  { name: "escaped twice", make: (sample) => both(sample, escapedTwice) },
  { name: "escaped quotes", make: (sample) => ifChanged(sample, both(sample, withEscapedQuotes)) },
  { name: "typographic quotes in the call", make: (sample) => ifChanged(sample, both(sample, withTypography)) },
  { name: "hard blanks in the call", make: (sample) => both(sample, withHardBlanks) },
  { name: "HTML entities in the call", make: (sample) => ifChanged(sample, both(sample, withEntities)) },
  {
    name: "the marks of a diff",
    make: ({ old, now }) => ({ old: mapLines(old, (line) => `-${line}`), now: mapLines(now, (line) => `+${line}`) }),
  },
  { name: "empty lines around both texts", make: (sample) => both(sample, (text) => `\n\n${text}\n\n\n`) },
  {
    name: "no line end at the end of the file",
    make: ({ text, old, now }) => {
      const before = text.slice(0, text.indexOf(old)) + old;
      return {
        old: `${old}\n`,
        now: `${now}\n`,
        before,
        after: before.replace(old, () => now),
        orAfter: `${before.replace(old, () => now)}\n`,
      };
    },
  },
  {
    name: "no indentation, and Windows line ends in the file",
    make: (sample) => {
      const call = both(sample, (text) => dedentedBy(text, sharedIndent(sample.old)));
      const after = sample.text.replace(sample.old, () => sample.now);
      return ifChanged(sample, { ...call, before: withReturns(sample.text), after: withReturns(after) });
    },
  },
  {
    name: "line numbers in a code fence",
    make: (sample) => both(sample, (text) => `\`\`\`\n${withNumbers(text, lineOf(sample), (number) => `${number}\t`)}\n\`\`\``),
  },
];

const distorted: EditCall[] = samples.flatMap((sample) =>
  distortions.flatMap(({ name, make }): EditCall[] => {
    const variant = make(sample);
    if (!variant) return [];
    const {
      old,
      now,
      path = sample.path,
      before = sample.text,
      orAfter,
      after = sample.text.replace(sample.old, () => sample.now),
    } = variant;
    return [
      {
        name: `${sample.name}: ${name}`,
        kind: "replace",
        path,
        old,
        now,
        before: { [sample.path]: before },
        after: { [sample.path]: after },
        ...(orAfter === undefined ? {} : { orAfter: { [sample.path]: orAfter } }),
      },
    ];
  }),
);

type Single = { name: string; text: string; old: string; now: string; all?: boolean; after: string | undefined };

const singles: readonly Single[] = [
  {
    name: "curly quotes in the file",
    text: "She said \u201cHello world\u201d to us.\nBye.\n",
    old: 'said "Hello world" to',
    now: 'said "Hello there" to',
    after: "She said \u201cHello there\u201d to us.\nBye.\n",
  },
  {
    name: "a curly apostrophe in the file",
    text: "It doesn\u2019t matter much.\n",
    old: "It doesn't matter much.",
    now: "It doesn't matter at all.",
    after: "It doesn\u2019t matter at all.\n",
  },
  {
    name: "a long dash in the file",
    text: "Seats \u2013 12\nRows \u2013 4\n",
    old: "Seats - 12",
    now: "Seats - 11",
    after: "Seats \u2013 11\nRows \u2013 4\n",
  },
  { name: "a hard blank in the file", text: "12\u00a0km to go\n", old: "12 km to go", now: "12 km to walk", after: "12\u00a0km to walk\n" },
  {
    name: "an ellipsis in the file",
    text: "Loading\u2026 please wait\n",
    old: "Loading... please wait",
    now: "Loading... please be patient",
    after: "Loading\u2026 please be patient\n",
  },
  {
    name: "an accent in two characters in the file",
    text: "cafe\u0301 = 1\n",
    old: "caf\u00e9 = 1",
    now: "caf\u00e9 = 2",
    after: "cafe\u0301 = 2\n",
  },
  {
    name: "blanks on an empty line in the file",
    text: "a = 1\n    \nb = 2\n",
    old: "a = 1\n\nb = 2",
    now: "a = 1\n\nb = 3",
    after: "a = 1\n    \nb = 3\n",
  },
  {
    name: "mixed line ends in the file",
    text: "one\r\ntwo\nthree\r\nfour\r\n",
    old: "two\nthree",
    now: "two\n3",
    after: "one\r\ntwo\n3\r\nfour\r\n",
  },
  { name: "all places", text: "let a = seat;\nlet b = seat;\n", old: "seat", now: "row", all: true, after: "let a = row;\nlet b = row;\n" },
  {
    name: "all places with blanks at the ends of lines",
    text: "a {  \n  b\n}\nc {  \n  b\n}\n",
    old: "{\n  b\n",
    now: "{\n  d\n",
    all: true,
    after: "a {  \n  d\n}\nc {  \n  d\n}\n",
  },
  {
    name: "a part of a line",
    text: "const total = price * seats;\n",
    old: "price * seats",
    now: "price * seats * 2",
    after: "const total = price * seats * 2;\n",
  },
  { name: "special characters of replacements", text: "cost: 1\n", old: "cost: 1", now: "cost: $& $1 $$", after: "cost: $& $1 $$\n" },
  { name: "deleting lines", text: "one\ntwo\nthree\n", old: "two\n", now: "", after: "one\nthree\n" },
  {
    name: "a backslash in code stays",
    text: 'const s = "a\\nb";\nconst t = 1;\n',
    old: 'const s = "a\\nb";',
    now: 'const s = "a\\nc";',
    after: 'const s = "a\\nc";\nconst t = 1;\n',
  },
  { name: "an entity in HTML stays", text: "<p>a &amp; b</p>\n", old: "a &amp; b", now: "a &amp; c", after: "<p>a &amp; c</p>\n" },
  {
    name: "numbers that are content",
    text: "1: one\n2: two\n3: three\n",
    old: "2: two\n3: three",
    now: "2: second\n3: third",
    after: "1: one\n2: second\n3: third\n",
  },
  { name: "a diff that is content", text: "- one\n- two\n", old: "- two", now: "- second", after: "- one\n- second\n" },
  {
    name: "pasted line numbers tell which place",
    text: "a\nseat\nb\nseat\nc\n",
    old: "4\tseat",
    now: "4\trow",
    after: "a\nseat\nb\nrow\nc\n",
  },
  {
    name: "a wrapped block",
    text: "def f():\n\tx = 1\n\ty = 2\n",
    old: "    x = 1\n    y = 2",
    now: "    if True:\n        x = 1\n        y = 2",
    after: "def f():\n\tif True:\n\t\tx = 1\n\t\ty = 2\n",
  },
  {
    name: "a byte order mark",
    text: "\ufeffusing A;\nusing B;\n",
    old: "using A;\nusing B;",
    now: "using A;\nusing C;",
    after: "\ufeffusing A;\nusing C;\n",
  },
  // These calls have no meaning, or more than one.
  { name: "two places", text: "a();\nb();\na();\n", old: "a();", now: "c();", after: undefined },
  { name: "overlapping places", text: "x\nx\nx\n", old: "x\nx", now: "y\nx", after: undefined },
  {
    name: "two places that differ in blanks",
    text: "if a:  \n  b \nelse:\n  c\nif a: \n  b  \n",
    old: "if a:\n  b\n",
    now: "if a:\n  d\n",
    after: undefined,
  },
  {
    name: "two places that differ in indentation",
    text: "  if a:\n    b\nx\n    if a:\n      b\n",
    old: "if a:\n  b",
    now: "if a:\n  c",
    after: undefined,
  },
  { name: "two places that differ in quotes", text: "\u201cyes\u201d\n\u201eyes\u201d\n", old: '"yes"', now: '"no"', after: undefined },
  { name: "no such text", text: "one\ntwo\n", old: "zebra", now: "x", after: undefined },
  {
    name: "a similar line",
    text: "if (wanted > left) {\n  stop();\n}\n",
    old: "if (wanted >= left) {\n  stop();\n}",
    now: "if (wanted >= left) {\n  halt();\n}",
    after: undefined,
  },
  {
    name: "a similar name",
    text: "def load_rows(self):\n    return self.rows\n",
    old: "def load_row(self):\n    return self.rows",
    now: "def load_row(self):\n    return []",
    after: undefined,
  },
  {
    name: "the first and last line only",
    text: "function f() {\n  const a = 1;\n  const b = 2;\n  return a + b;\n}\n",
    old: "function f() {\n  const x = 9;\n  const y = 8;\n  return a + b;\n}",
    now: "function f() {\n  return 3;\n}",
    after: undefined,
  },
  {
    name: "the first and last line of the wrong block",
    text: "try {\n  open();\n  read();\n} catch {}\n\ntry {\n  close();\n  stop();\n} catch {}\n",
    old: "try {\n  write();\n  flush();\n} catch {}",
    now: "try {\n  write();\n} catch {}",
    after: undefined,
  },
  {
    name: "a missing line in the middle",
    text: "a = 1\nb = 2\nc = 3\nd = 4\n",
    old: "a = 1\nb = 2\nd = 4",
    now: "a = 1\nb = 5\nd = 4",
    after: undefined,
  },
  { name: "nothing to change", text: "one\n", old: "one", now: "one", after: undefined },
  {
    name: "code left out with a comment",
    text: "function f() {\n  a();\n  b();\n}\n",
    old: "function f() {\n  a();\n  b();\n}",
    now: "function f() {\n  // ... existing code ...\n  c();\n}",
    after: undefined,
  },
  {
    name: "the rest left out with a comment",
    text: "class A:\n    x = 1\n    y = 2\n",
    old: "class A:\n    x = 1\n    y = 2",
    now: "class A:\n    x = 3\n    # ... rest of the class remains unchanged",
    after: undefined,
  },
  { name: "a blank at the end that is not in the file", text: "return ab;\n", old: "return a ", now: "return c ", after: undefined },
  { name: "another case of letters", text: "const Total = 1;\n", old: "const total = 1;", now: "const total = 2;", after: undefined },
  {
    name: "an indentation that does not agree",
    text: "if a:\n    b()\n        c()\n",
    old: "if a:\n  b()\n  c()",
    now: "if a:\n  d()\n  c()",
    after: undefined,
  },
  { name: "an empty old text for a file with text", text: "one\n", old: "", now: "two\n", after: undefined },
];

const one: EditCall[] = singles.map(({ name, text, old, now, all, after }) => {
  const files = (content: string): Files => ({ "a.txt": content });
  return {
    name,
    kind: "replace",
    path: "a.txt",
    old,
    now,
    ...(all ? { all } : {}),
    before: files(text),
    after: after === undefined ? undefined : files(after),
  };
});

export const replaceCalls: readonly EditCall[] = [...distorted, ...one];
