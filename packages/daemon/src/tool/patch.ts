/** One file of a patch. `hunks` are runs of lines that begin with " ", "+" or "-". */
export type FilePatch =
  | { kind: "add"; path: string; text: string }
  | { kind: "delete"; path: string }
  | { kind: "update"; path: string; to?: string; hunks: PatchHunk[] };

/** `after`: a line, such as the head of a function, behind which the hunk is looked for. */
export type PatchHunk = { after?: string; lines: string[] };

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** Reads a patch in the form that models are trained on; or says what is wrong with it, in which line. */
export function parsePatch(text: string): FilePatch[] | { fault: string } {
  const lines = text.replaceAll("\r\n", "\n").trim().split("\n");
  const start = lines[0]?.trim() === "*** Begin Patch" ? 1 : 0;
  const end = lines.at(-1)?.trim() === "*** End Patch" ? lines.length - 1 : lines.length;
  const files: FilePatch[] = [];
  for (let at = start; at < end;) {
    const head = FILE.exec(lines[at] ?? "");
    const [, what, path = ""] = head ?? [];
    if (!head)
      return {
        fault: `Line ${at + 1} of the patch should be "*** Add File: …", "*** Update File: …" or "*** Delete File: …", and is: ${(lines[at] ?? "").slice(0, 100)}`,
      };
    let next = at + 1;
    while (next < end && !FILE.test(lines[next] ?? "")) next++;
    const body = lines.slice(at + 1, next);
    const read =
      what === "Add"
        ? added(path.trim(), body, at + 2)
        : what === "Delete"
          ? { kind: "delete" as const, path: path.trim() }
          : updated(path.trim(), body, at + 2);
    if ("fault" in read) return read;
    files.push(read);
    at = next;
  }
  const twice = files.find(({ path }, i) => files.some((other, j) => j < i && other.path === path));
  if (twice) return { fault: `The patch names ${twice.path} twice. Put all its changes below one head.` };
  return files.length === 0 ? { fault: 'The patch names no file. Begin with "*** Begin Patch" and "*** Update File: …".' } : files;
}

function added(path: string, body: readonly string[], first: number): FilePatch | { fault: string } {
  const wrong = body.findIndex((line) => !line.startsWith("+") && line !== "");
  if (wrong >= 0) return { fault: `Line ${first + wrong} of the patch: every line of a new file begins with +.` };
  return { kind: "add", path, text: body.map((line) => `${line.slice(1)}\n`).join("") };
}

function updated(path: string, body: readonly string[], first: number): FilePatch | { fault: string } {
  const to = MOVE.exec(body[0] ?? "")?.[1]?.trim();
  const hunks: PatchHunk[] = [];
  for (const [i, line] of body.entries()) {
    if (MOVE.test(line) || line === "*** End of File") continue;
    if (line.startsWith("@@")) {
      const after = line
        .slice(2)
        .replace(/^[ ]?-\d.*@@/, "")
        .trim();
      hunks.push({ ...(after === "" ? {} : { after }), lines: [] });
    } else if (line === "" || /^[ +-]/.test(line)) {
      if (hunks.length === 0) hunks.push({ lines: [] });
      hunks.at(-1)?.lines.push(line === "" ? " " : line);
    } else return { fault: `Line ${first + i} of the patch begins with neither a blank, +, - nor @@: ${line.slice(0, 100)}` };
  }
  const changing = hunks.filter(({ lines }) => lines.length > 0);
  if (changing.length === 0 && to === undefined) return { fault: `The patch changes nothing in ${path}.` };
  return { kind: "update", path, ...(to === undefined ? {} : { to }), hunks: changing };
}

/** The text of a file with these hunks, each looked for behind the one before; or which of them does not fit. */
export function patched(text: string, hunks: readonly PatchHunk[], path: string): { text: string } | { fault: string } {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  let from = 0;
  for (const [i, { after, lines: hunk }] of hunks.entries()) {
    const old = hunk.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
    const now = hunk.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
    if (after !== undefined) {
      const anchor = lines.findIndex((line, at) => at >= from && line.trim() === after);
      if (anchor >= 0) from = anchor;
    }
    const at = old.length === 0 ? endOf(lines) : find(lines, old, from);
    if (at < 0)
      return {
        fault: `Change ${i + 1} of ${hunks.length} does not fit ${path}: these lines are not there in this order, exactly as written:\n${old.join("\n").slice(0, 800)}`,
      };
    lines.splice(at, old.length, ...now);
    from = at + now.length;
  }
  return { text: lines.join(newline) };
}

const endOf = (lines: readonly string[]): number => (lines.at(-1) === "" ? lines.length - 1 : lines.length);

/** Where these lines stand, exactly; else but for blanks at their ends. */
function find(lines: readonly string[], wanted: readonly string[], from: number): number {
  for (const same of [(a: string, b: string) => a === b, (a: string, b: string) => a.trimEnd() === b.trimEnd()])
    for (let at = from; at + wanted.length <= lines.length; at++) if (wanted.every((line, i) => same(lines[at + i] ?? "", line))) return at;
  return -1;
}
