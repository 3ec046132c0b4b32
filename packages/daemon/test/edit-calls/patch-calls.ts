import type { EditCall, Files } from "./call-types.ts";
import {
  dedentedBy,
  escapedTwice,
  indentedBy,
  sharedIndent,
  unitOf,
  withHardBlanks,
  withIndentUnit,
  withReturns,
  withTrailingBlanks,
  withTypography,
} from "./distort.ts";
import { samples, type Sample } from "./samples.ts";

/** The lines of an exact patch: its hunk with two lines of context, and the number of its first line. */
type Exact = { path: string; hunk: string[]; first: number };

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";

function exactOf({ path, text, old, now }: Sample): Exact {
  const before = text.slice(0, text.indexOf(old)).split("\n").slice(0, -1);
  const after = text
    .slice(text.indexOf(old) + old.length + 1)
    .split("\n")
    .slice(0, -1);
  const above = before.slice(-2);
  const below = after.slice(0, 2);
  return {
    path,
    first: before.length - above.length + 1,
    hunk: [...above.map((line) => ` ${line}`), ...changedLines(old.split("\n"), now.split("\n")), ...below.map((line) => ` ${line}`)],
  };
}

/** Equal lines at both ends are context. */
function changedLines(old: readonly string[], now: readonly string[]): string[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [
    ...old.slice(0, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail).map((line) => ` ${line}`),
  ];
}

const join = (...lines: readonly string[]): string => lines.join("\n");
const exactPatch = ({ path, hunk }: Exact, change: (text: string) => string = (text) => text): string =>
  join(BEGIN, `*** Update File: ${path}`, "@@", ...hunk.map((line) => (line[0] ?? "") + change(line.slice(1))), END);
const unchangedFile = (sample: Sample): string => sample.text.replace(sample.old, () => sample.now);
const counts = (hunk: readonly string[]): [number, number] => [
  hunk.filter((line) => !line.startsWith("+")).length,
  hunk.filter((line) => !line.startsWith("-")).length,
];

type Variant = { patch: string; before?: string; after?: string };
type Distortion = { name: string; make: (exact: Exact, sample: Sample) => Variant | undefined };

const patchOnly = (name: string, make: (exact: Exact, sample: Sample) => string): Distortion => ({
  name,
  make: (exact, sample) => ({ patch: make(exact, sample) }),
});

const distortions: readonly Distortion[] = [
  patchOnly("exact", (exact) => exactPatch(exact)),
  patchOnly("padded markers", ({ path, hunk }) => join(`  ${BEGIN} `, ` *** Update File: ${path}  `, "@@ ", ...hunk, ` ${END}  `)),
  patchOnly("stars after the markers", ({ path, hunk }) =>
    join(`${BEGIN} ***`, `*** Update File: ${path} ***`, "@@", ...hunk, `${END} ***`),
  ),
  patchOnly("quotes around the path", ({ path, hunk }) => join(BEGIN, `*** Update File: \`${path}\``, "@@", ...hunk, END)),
  patchOnly("a here-document", (exact) => `<<'EOF'\n${exactPatch(exact)}\nEOF`),
  patchOnly("a command with a here-document", (exact) => `apply_patch <<'PATCH'\n${exactPatch(exact)}\nPATCH\n`),
  patchOnly("a shell with a here-document", (exact) => `bash -lc "apply_patch <<'EOF'\n${exactPatch(exact)}\nEOF"`),
  patchOnly("a code fence", (exact) => `\`\`\`diff\n${exactPatch(exact)}\n\`\`\``),
  patchOnly("a sentence before it", (exact) => `Here is the patch:\n\n${exactPatch(exact)}`),
  patchOnly("empty lines around it", (exact) => `\n\n${exactPatch(exact)}\n\n`),
  patchOnly("no end marker", (exact) => exactPatch(exact).replace(`\n${END}`, "")),
  patchOnly("no markers", (exact) => exactPatch(exact).replace(`\n${END}`, "").replace(`${BEGIN}\n`, "")),
  patchOnly("no @@", (exact) => exactPatch(exact).replace("\n@@\n", "\n")),
  patchOnly("@@ at both ends of the header", (exact) => exactPatch(exact).replace("\n@@\n", "\n@@ ... @@\n")),
  patchOnly("an empty line before the end", (exact) => exactPatch(exact).replace(END, `\n${END}`)),
  patchOnly("an empty line after the header", (exact) => exactPatch(exact).replace("@@\n", "\n@@\n")),
  patchOnly("a unified header with wrong numbers", (exact) => exactPatch(exact).replace("\n@@\n", "\n@@ -3,9 +4,1 @@\n")),
  patchOnly("file names of a diff below the header", (exact) =>
    exactPatch(exact).replace("\n@@\n", `\n--- a/${exact.path}\n+++ b/${exact.path}\n@@ -${exact.first},4 +${exact.first},4 @@\n`),
  ),
  patchOnly("a diff of git", ({ path, hunk, first }) => {
    const [old, now] = counts(hunk);
    const header = [`diff --git a/${path} b/${path}`, "index 83db48f..bf12a3c 100644", `--- a/${path}`, `+++ b/${path}`];
    return `${join(...header, `@@ -${first},${old} +${first},${now} @@`, ...hunk)}\n`;
  }),
  patchOnly("a unified diff with wrong numbers", ({ path, hunk }) => `${join(`--- ${path}`, `+++ ${path}`, "@@ -1,2 +1,9 @@", ...hunk)}\n`),
  patchOnly("a unified diff in a code fence", ({ path, hunk, first }) =>
    join("```diff", `--- a/${path}`, `+++ b/${path}`, `@@ -${first},1 +${first},1 @@`, ...hunk, "```"),
  ),
  patchOnly("a unified diff between the markers", ({ path, hunk }) =>
    join(BEGIN, `--- a/${path}`, `+++ b/${path}`, "@@ -10,3 +10,3 @@", ...hunk, END),
  ),
  {
    name: "no marks on context lines",
    make: ({ path, hunk }) => {
      const unmarked = hunk.map((line) => (line.startsWith(" ") ? line.slice(1) : line));
      return { patch: join(BEGIN, `*** Update File: ${path}`, "@@", ...unmarked, END) };
    },
  },
  patchOnly("a space after each mark", (exact) => exactPatch(exact, (line) => ` ${line}`)),
  patchOnly("blanks at the ends of context lines", ({ path, hunk }) =>
    join(BEGIN, `*** Update File: ${path}`, "@@", ...hunk.map((line) => (line.startsWith("+") ? line : withTrailingBlanks(line))), END),
  ),
  patchOnly("one level more", (exact, { text }) => exactPatch(exact, (line) => indentedBy(line, unitOf(text)))),
  {
    name: "no indentation",
    make: (exact, { old }) => {
      const shared = sharedIndent(old);
      const inside = exact.hunk.filter((line) => line.trim() === "" || line.slice(1).startsWith(shared));
      return shared === "" ? undefined : { patch: exactPatch({ ...exact, hunk: inside }, (line) => dedentedBy(line, shared)) };
    },
  },
  patchOnly("spaces for tabs, or tabs for spaces", (exact, { text }) => {
    const unit = unitOf(text);
    return exactPatch(exact, (line) => withIndentUnit(line, unit, unit === "\t" ? "    " : "\t"));
  }),
  {
    name: "line numbers",
    make: ({ path, hunk, first }) => {
      let number = first - 1;
      const numbered = hunk.map((line) => (line.startsWith("+") ? line : `${line[0]}${++number}\t${line.slice(1)}`));
      return { patch: join(BEGIN, `*** Update File: ${path}`, "@@", ...numbered, END) };
    },
  },
  {
    name: "typographic quotes",
    make: (exact) => {
      const patch = exactPatch(exact, withTypography);
      return patch === exactPatch(exact) ? undefined : { patch };
    },
  },
  patchOnly("hard blanks", (exact) => exactPatch(exact, withHardBlanks)),
  patchOnly("escaped twice", (exact) => escapedTwice(exactPatch(exact))),
  patchOnly("JSON with a patch", (exact) => JSON.stringify({ patch: exactPatch(exact) })),
  patchOnly("JSON with a command", (exact) => JSON.stringify({ command: ["apply_patch", exactPatch(exact)] })),
  patchOnly("Windows line ends in the patch", (exact) => withReturns(exactPatch(exact))),
  {
    name: "Windows line ends in the file",
    make: (exact, sample) => ({ patch: exactPatch(exact), before: withReturns(sample.text), after: withReturns(unchangedFile(sample)) }),
  },
  patchOnly("a path with ./", (exact) => exactPatch({ ...exact, path: `./${exact.path}` })),
  patchOnly("an anchor that is nowhere", (exact) => exactPatch(exact).replace("\n@@\n", "\n@@ function elsewhere() {\n")),
  patchOnly("a new file beside it", (exact) =>
    exactPatch(exact).replace(BEGIN, join(BEGIN, "*** Add File: docs/new.md", "+# New", "+", "+Text")),
  ),
];

const distorted: EditCall[] = samples.flatMap((sample) =>
  distortions.flatMap(({ name, make }): EditCall[] => {
    const variant = make(exactOf(sample), sample);
    if (!variant) return [];
    const { patch, before = sample.text, after = unchangedFile(sample) } = variant;
    const added: Files = name === "a new file beside it" ? { "docs/new.md": "# New\n\nText\n" } : {};
    return [
      {
        name: `${sample.name}: ${name}`,
        kind: "patch",
        patch,
        before: { [sample.path]: before },
        after: { [sample.path]: after, ...added },
      },
    ];
  }),
);

const patch = (...lines: string[]): string => join(BEGIN, ...lines, END);
const update = (...lines: string[]): string => patch("*** Update File: a.txt", ...lines);
type Single = { name: string; before: Files; patch: string; after: Files | undefined };
const single = (name: string, text: string, patchText: string, after: string | undefined): Single => ({
  name,
  before: { "a.txt": text },
  patch: patchText,
  after: after === undefined ? undefined : { "a.txt": after },
});

const CLASSES = "class A:\n    def run(self):\n        return 1\n\nclass B:\n    def run(self):\n        return 1\n";

const singles: readonly Single[] = [
  single(
    "an anchor",
    CLASSES,
    update("@@ class B:", "     def run(self):", "-        return 1", "+        return 2"),
    CLASSES.replace(/1\n$/, "2\n"),
  ),
  single(
    "stacked anchors",
    CLASSES,
    update("@@ class B:", "@@     def run(self):", "-        return 1", "+        return 2"),
    CLASSES.replace(/1\n$/, "2\n"),
  ),
  single(
    "an anchor with @@ at its end",
    CLASSES,
    update("@@ class B: @@", "     def run(self):", "-        return 1", "+        return 2"),
    CLASSES.replace(/1\n$/, "2\n"),
  ),
  single(
    "a line number that tells which place",
    "a\nx\nb\nx\nc\n",
    "--- a/a.txt\n+++ b/a.txt\n@@ -4,1 +4,1 @@\n-x\n+y\n",
    "a\nx\nb\ny\nc\n",
  ),
  single("two hunks whose order tells the places", "x\na\nx\nb\n", update("@@", "-x", "+1", " a", "@@", "-x", "+2", " b"), "1\na\n2\nb\n"),
  single("the end of the file", "x\ny\nx\ny\n", update("@@", "-y", "+z", "*** End of File"), "x\ny\nx\nz\n"),
  single("hunks in another order", "one\ntwo\nthree\nfour\n", update("@@", "-four", "+4", "@@", "-one", "+1"), "1\ntwo\nthree\n4\n"),
  single(
    "the same file twice",
    "one\ntwo\nthree\n",
    patch("*** Update File: a.txt", "@@", "-one", "+1", "*** Update File: a.txt", "@@", "-three", "+3"),
    "1\ntwo\n3\n",
  ),
  single("two patches in one call", "one\ntwo\nthree\n", `${update("@@", "-one", "+1")}\n${update("@@", "-three", "+3")}`, "1\ntwo\n3\n"),
  single("only added lines after an anchor", "one\ntwo\nthree\n", update("@@ two", "+2b"), "one\ntwo\n2b\nthree\n"),
  single("the last line without a line end", "one\ntwo", update("@@", " one", "-two", "+2"), "one\n2\n"),
  single("mixed line ends", "one\r\ntwo\nthree\r\n", update("@@", " one", " two", "-three", "+3"), "one\r\ntwo\n3\r\n"),
  single(
    "a curly apostrophe in the file",
    "It doesn\u2019t matter.\nEnd.\n",
    update("@@", " It doesn't matter.", "-End.", "+Bye."),
    "It doesn\u2019t matter.\nBye.\n",
  ),
  single(
    "a context line that looks like a header",
    "*** Delete File: b.txt\na\n",
    update("@@", " *** Delete File: b.txt", "-a", "+c"),
    "*** Delete File: b.txt\nc\n",
  ),
  single("a removed line that looks like a diff header", "-- old\nx\n", update("@@", "--- old", "+-- new", " x"), "-- new\nx\n"),
  { name: "a new file", before: {}, patch: patch("*** Add File: n.txt", "+one", "+", "+two"), after: { "n.txt": "one\n\ntwo\n" } },
  {
    name: "a new file without marks",
    before: {},
    patch: patch("*** Add File: n.txt", "one", "", "two"),
    after: { "n.txt": "one\n\ntwo\n" },
  },
  { name: "a new file below @@", before: {}, patch: patch("*** Add File: n.txt", "@@", "+one"), after: { "n.txt": "one\n" } },
  { name: "a created file", before: {}, patch: patch("*** Create File: n.txt", "+one"), after: { "n.txt": "one\n" } },
  {
    name: "a new file in a diff of git",
    before: {},
    patch: "diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n",
    after: { "n.txt": "one\ntwo\n" },
  },
  {
    name: "a deleted file",
    before: { "a.txt": "a\n", "b.txt": "b\n" },
    patch: patch("  *** Delete File: a.txt "),
    after: { "b.txt": "b\n" },
  },
  {
    name: "a deleted file in a diff of git",
    before: { "a.txt": "a\n", "b.txt": "b\n" },
    patch: "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    after: { "b.txt": "b\n" },
  },
  {
    name: "a moved file",
    before: { "a.txt": "a\nb\n" },
    patch: patch("*** Update File: a.txt", "*** Move to: in/c.txt", "@@", "-b", "+c"),
    after: { "in/c.txt": "a\nc\n" },
  },
  {
    name: "a renamed file in a diff of git",
    before: { "a.txt": "a\nb\n" },
    patch: "diff --git a/a.txt b/c.txt\n--- a/a.txt\n+++ b/c.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
    after: { "c.txt": "a\nc\n" },
  },
  {
    name: "two files",
    before: { "a.txt": "a\n", "b.txt": "b\n" },
    patch: patch("*** Update File: a.txt", "@@", "-a", "+1", "", "*** Update File: b.txt", "@@", "-b", "+2"),
    after: { "a.txt": "1\n", "b.txt": "2\n" },
  },
  // These calls have no meaning, or more than one.
  single("two places", "a\nx\nb\nx\n", update("@@", "-x", "+y"), undefined),
  single("two places with context", "f {\n  x\n}\ng {\n  x\n}\n", update("@@", "-  x", "+  y", " }"), undefined),
  single("two places of an anchor", CLASSES, update("@@     def run(self):", "-        return 1", "+        return 2"), undefined),
  single("two places that differ in blanks", "x \na\nx  \nb\n", update("@@", "-x", "+y"), undefined),
  single("no such lines", "one\ntwo\n", update("@@", "-zebra", "+x"), undefined),
  single("a similar line", "const total = 1;\n", update("@@", "-const totals = 1;", "+const totals = 2;"), undefined),
  single("wrong context", "one\ntwo\nthree\n", update("@@", " zero", "-two", "+2"), undefined),
  single("cut off after a removed line", "one\ntwo\n", join(BEGIN, "*** Update File: a.txt", "@@", "-one"), undefined),
  single("a patch that changes nothing", "one\n", update("@@", " one"), undefined),
  single("a new file that exists", "one\n", patch("*** Add File: a.txt", "+two"), undefined),
  single("a file that is missing", "one\n", patch("*** Update File: b.txt", "@@", "-one", "+two"), undefined),
  single("one good and one wrong hunk", "one\ntwo\n", update("@@", "-one", "+1", "@@", "-zebra", "+x"), undefined),
  single("one good and one wrong file", "one\n", patch("*** Update File: a.txt", "@@", "-one", "+1", "*** Delete File: b.txt"), undefined),
  single("no patch", "one\n", "Change one to two, please.", undefined),
  single("an empty patch", "one\n", patch(), undefined),
  single("a path with an unknown header", "one\n", patch("*** Rework File: a.txt", "-one", "+two"), undefined),
];

const one: EditCall[] = singles.map(({ name, before, patch: patchText, after }) => ({
  name,
  kind: "patch",
  before,
  patch: patchText,
  after,
}));

export const patchCalls: readonly EditCall[] = [...distorted, ...one];
