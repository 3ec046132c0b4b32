import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import type { Reply } from "../../../daemon/test/support/model-server.ts";
import type { Home } from "./home.ts";

const require = createRequire(import.meta.url);
const folderOf = (name: string): string => realpathSync(path.dirname(require.resolve(`${name}/package.json`)));

const RIGHT = "if ((/^0x[0-9a-f]+$/i).test(x)) { return true; }";
const WRONG = "if ((/^0x[0-9]+$/i).test(x)) { return true; }";

export const PROMPT = "minimist takes 0xff for a text. Find out why, fix it and run its tests.";

/** The tests that belong to the package. */
export const OWN_TESTS = "node node_modules/tape/bin/tape 'test/*.js'";

/** Copies a published package with its tests into a folder and breaks one line of it. */
export function breakPackage(folder: string): void {
  cpSync(folderOf("minimist"), folder, { recursive: true, dereference: true });
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(folderOf("tape"), path.join(folder, "node_modules", "tape"));
  const file = path.join(folder, "index.js");
  const text = readFileSync(file, "utf8");
  if (!text.includes(RIGHT)) throw new Error("the package is not the one that this test knows");
  writeFileSync(file, text.replace(RIGHT, WRONG));
}

/** Repairs the package as a model would: it searches, reads, edits with approval, and runs the package's own tests. */
export const repair: Reply[] = [
  {
    text: "I look for where numbers are told apart.",
    calls: [{ tool: "search_text", input: { pattern: "function isNumber", path: "." } }],
  },
  { calls: [{ tool: "read_file", input: { path: "index.js", start_line: 13, end_line: 17 } }] },
  {
    text: "Hexadecimal digits are more than 0 to 9.",
    calls: [{ tool: "edit_file", input: { path: "index.js", old_text: WRONG, new_text: RIGHT } }],
  },
  { calls: [{ tool: "run_command", input: { command: OWN_TESTS } }] },
  {
    calls: [
      { tool: "attempt_completion", input: { result: "Mended: hexadecimal numbers are numbers again. All tests of the package pass." } },
    ],
  },
];

const CHANGING = ["id", "at", "openedAt", "startedAt", "endedAt", "hash", "by", "answeredBy", "answer", "blob"];

/** The conversation of the only session in the workspace as a client draws it, without parts that differ between runs. */
export async function conversationOf(home: Home, alsoChanging: readonly string[] = []): Promise<unknown> {
  const { api, close } = await home.connect();
  const [row] = await api.session.list.query({ workspace: home.workspace });
  const { events } = await api.session.open.query({ sessionId: row?.id ?? "", tail: 5_000 });
  await close();
  const changing = new Set([...CHANGING, ...alsoChanging]);
  const text = JSON.stringify(transcriptOf(events).entries, (key, value: unknown) => (changing.has(key) ? undefined : value));
  return JSON.parse(text.replaceAll(home.workspace, "WORKSPACE").replaceAll(/\b\d+(\.\d+)? m?s\b/g, "TIME"));
}
