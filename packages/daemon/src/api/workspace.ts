import { realpath } from "node:fs/promises";
import type { Verdict } from "@baton/core/protocol/rule";
import * as z from "zod";
import { portsOf } from "../session/ports-of.ts";
import { authed, refused, router } from "./trpc.ts";

const MOST_SHOWN = 50;

/** The whole workspace, as a search by the person themselves is judged. */
const everywhere: Verdict = {
  effect: "allow",
  rule: null,
  accesses: [{ action: "read", resource: ".", effect: "allow", rule: null }],
  why: "asked by the person",
};

/** Workspaces: what a client needs to know of a folder. */
export const workspace = router({
  /** Files whose path holds the letters of `query` in their order, best first; for completion. Without what ignore files name. */
  files: authed
    .input(z.object({ cwd: z.string(), query: z.string().max(200) }))
    .query(async ({ ctx, input: { cwd, query }, signal = new AbortController().signal }) => {
      const folder = await realpath(cwd).catch(() => refused("workspace_not_found", `There is no folder ${cwd}.`));
      const { search } = portsOf(everywhere, { mode: ctx.config().config.defaultMode ?? "code", workspace: folder, grants: [] }, ctx.parts);
      const found = await search.files({}, signal);
      return "fault" in found ? [] : ranked(found.files, query).slice(0, MOST_SHOWN);
    }),
});

/** Shorter paths first among those that hold the query as it is, then those that hold its letters in order. */
function ranked(files: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase();
  const scored = files.flatMap((file) => {
    const path = file.toLowerCase();
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (name.startsWith(wanted)) return [{ file, score: 0 }];
    if (path.includes(wanted)) return [{ file, score: 1 }];
    return holdsInOrder(path, wanted) ? [{ file, score: 2 }] : [];
  });
  return scored.toSorted((a, b) => a.score - b.score || a.file.length - b.file.length).map(({ file }) => file);
}

function holdsInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
