/** The header of a file in a patch. */
export type FileHeader = { kind: "add" | "update" | "delete"; path: string };

const STARS = "\\s*\\*{2,4}\\s*";
const END = "\\s*\\**\\s*$";
const FILE = new RegExp(`^${STARS}(Add|Create|Update|Modify|Delete|Remove) File\\s*:\\s*(.+?)${END}`, "i");
const MOVE = new RegExp(`^${STARS}(?:Move|Rename) to\\s*:\\s*(.+?)${END}`, "i");
const marker = (name: string) => new RegExp(`^${STARS}${name}${END}`, "i");
const [BEGIN, END_PATCH, END_OF_FILE] = [marker("Begin Patch"), marker("End Patch"), marker("End of File")];

const KINDS: Readonly<Record<string, FileHeader["kind"]>> = {
  add: "add",
  create: "add",
  update: "update",
  modify: "update",
  delete: "delete",
  remove: "delete",
};

export const isBegin = (line: string): boolean => BEGIN.test(line);
export const isEnd = (line: string): boolean => END_PATCH.test(line);
export const isEndOfFile = (line: string): boolean => END_OF_FILE.test(line);

/** The new path in `*** Move to: path`. */
export const moveTarget = (line: string): string | undefined => unquoted(MOVE.exec(line)?.[1]);

/** Reads `*** Update File: path`, with other numbers of stars, blanks and quotes as well. */
export function fileHeader(line: string): FileHeader | undefined {
  const [, name = "", path] = FILE.exec(line) ?? [];
  const kind = KINDS[name.toLowerCase()];
  const plain = unquoted(path);
  return kind === undefined || plain === undefined ? undefined : { kind, path: plain };
}

/** A path without the quotes or backticks around it. */
const unquoted = (path: string | undefined): string | undefined => path?.replace(/^(["'`])(.+)\1$/, "$2");
