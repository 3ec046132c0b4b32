import { readdirSync } from "node:fs";
import path from "node:path";
import type { InputBuffer } from "./input-buffer.ts";

/** Suggestions for the typed text. `start` is where the completed word begins. */
export type Suggestions = { start: number; items: { text: string; about: string }[] };

type Completable = readonly Suggestions["items"][number][];

/** More suggestions than a user scrolls through. */
const MAX_SUGGESTIONS = 200;

/**
 * Files and server resources for a word that begins with `@`; commands for a line that begins with `/`. `folders`: the workspace and the
 * other folders of the session.
 */
export function suggest(
  { text, cursor }: InputBuffer,
  folders: readonly string[],
  commands: readonly { name: string; about: string }[],
  { resources = [], files = [] }: { resources?: Completable | undefined; files?: readonly string[] | undefined } = {},
): Suggestions | undefined {
  const typed = text.slice(0, cursor);
  const command = /^\/(\S*)$/.exec(typed);
  if (command)
    return found(
      0,
      commands.filter(({ name }) => name.startsWith(command[1] ?? "")).map(({ name, about }) => ({ text: `/${name}`, about })),
    );
  const file = mentionedFile({ text, cursor });
  if (file === undefined) return undefined;
  const like = file === "" ? [] : resources.filter((item) => item.text.toLowerCase().includes(file.toLowerCase()));
  const inFolder = filesLike(file, folders);
  const shown = new Set(inFolder.map((item) => item.text));
  const anywhere = files.map((name) => ({ text: `@${name}`, about: "" })).filter((item) => !shown.has(item.text));
  return found(cursor - file.length - 1, [...inFolder, ...anywhere, ...like]);
}

/** The word after an `@` at the cursor. Undefined if there is none. */
export const mentionedFile = ({ text, cursor }: InputBuffer): string | undefined => /(?:^|\s)@(\S*)$/.exec(text.slice(0, cursor))?.[1];

const found = (start: number, items: Suggestions["items"]): Suggestions | undefined =>
  items.length === 0 ? undefined : { start, items: items.slice(0, MAX_SUGGESTIONS) };

/** The text with a suggestion inserted. A folder can be completed further. */
export function acceptCompletion({ text, cursor }: InputBuffer, { start }: Suggestions, item: string): InputBuffer {
  const put = item.endsWith("/") ? item : `${item} `;
  return { text: text.slice(0, start) + put + text.slice(cursor), cursor: start + put.length };
}

/** The entries of the typed folder. It must be in the workspace or in another folder of the session. */
function filesLike(typed: string, [workspace = "", ...roots]: readonly string[]): Suggestions["items"] {
  const slash = typed.lastIndexOf("/") + 1;
  const [folder, begun] = [typed.slice(0, slash), typed.slice(slash).toLowerCase()];
  const inside = path.resolve(workspace, folder);
  if (![workspace, ...roots].some((root) => inside === root || inside.startsWith(root + path.sep))) return [];
  try {
    return readdirSync(inside, { withFileTypes: true })
      .filter(
        ({ name }) =>
          name.toLowerCase().startsWith(begun) &&
          name !== ".git" &&
          name !== "node_modules" &&
          (begun.startsWith(".") || !name.startsWith(".")),
      )
      .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || a.name.localeCompare(b.name))
      .map((entry) => ({ text: `@${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`, about: "" }));
  } catch {
    return []; // no such folder
  }
}
