import { omitUndefined } from "@baton/core/text/omit-undefined";
import { hash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { AppliedFile } from "@baton/core/protocol/place";
import type { WorkspaceSnapshots } from "../session/session-dependencies.ts";
import type { PlaceFileChange } from "./git/changed-files.ts";
import type { Git } from "./git/git.ts";
import { withScratchFolder } from "./git/git-objects.ts";

/**
 * The effect of applying one file of a place to the source checkout. `write`: the source has the content of the base. `same`: it has the
 * new content already. `merge`: both sides changed it, in different lines. `conflict`: both changed the same lines. `skip`: it cannot be
 * applied.
 */
export type FilePlan = {
  path: string;
  action: "write" | "same" | "merge" | "conflict" | "skip";
  why?: string;
  /** The hash of the current content, the content to write (null deletes the file), and the permission bits of a new file. */
  now: string | null;
  content: Buffer | null;
  mode?: number;
};

/** The store of contents and the files of the source checkout. */
export type SourceFiles = {
  snapshots: Pick<WorkspaceSnapshots, "now" | "keep" | "restore">;
  readBlob: (hash: string) => Promise<Uint8Array | undefined>;
  putBlob: (content: Uint8Array) => Promise<string>;
};

/** Compares each changed file of a place with the source checkout. Changes nothing, except that it stores current contents. */
export async function planApply(files: readonly PlaceFileChange[], checkout: string, git: Git, source: SourceFiles): Promise<FilePlan[]> {
  const plans: FilePlan[] = [];
  for (const file of files) plans.push(await planFile(file, checkout, git, source));
  return plans;
}

async function planFile(file: PlaceFileChange, checkout: string, git: Git, source: SourceFiles): Promise<FilePlan> {
  const { path: name, before, after, kind } = file;
  const skip = (why: string): FilePlan => ({ path: name, action: "skip", why, now: null, content: null });
  if (kind === "repository") return skip("it is a submodule");
  if (kind === "link") return skip("it is a symbolic link");
  const now = await source.snapshots.keep(checkout, name);
  if (now === undefined) return skip("it is too large, not a file, or outside the checkout");
  const plan = { path: name, now, content: after, ...(kind === "executable" ? { mode: 0o755 } : {}) };
  if (now === hashOf(after)) return { ...plan, action: "same" };
  if (now === hashOf(before)) return { ...plan, action: "write" };
  if (now === null || before === null || after === null) return { ...plan, action: "conflict", why: conflictReason(now, before, after) };
  const ours = await source.readBlob(now);
  if (!ours) return skip("its content cannot be read");
  return { ...plan, ...(await merge({ ours, base: before, theirs: after }, git)) };
}

function conflictReason(now: string | null, before: Buffer | null, after: Buffer | null): string {
  if (before === null) return "both sides created it";
  if (after === null) return "the place deleted it, and it has changed here";
  return now === null ? "it was deleted here, and the place changed it" : "both sides changed it";
}

type Sides = { ours: Uint8Array; base: Buffer; theirs: Buffer };

/** A merge of both changes. A conflict has git's markers in its content, as far as the file is text. */
async function merge({ ours, base, theirs }: Sides, git: Git): Promise<Pick<FilePlan, "action" | "content" | "why">> {
  if ([ours, base, theirs].some((content) => content.includes(0)))
    return { action: "conflict", content: theirs, why: "both sides changed it, and it is not text" };
  return withScratchFolder(async (folder) => {
    const sides = { ours, base, theirs };
    for (const [name, content] of Object.entries(sides)) await writeFile(path.join(folder, name), content);
    const labels = ["-L", "here", "-L", "base", "-L", "place"];
    const merged = await git(["merge-file", "-p", ...labels, "ours", "base", "theirs"], { cwd: folder });
    if (merged.ok) return { action: "merge", content: merged.bytes };
    const conflicts = merged.code !== null && merged.code > 0 && merged.code < 128;
    const content = conflicts ? merged.bytes : theirs;
    return { action: "conflict", content, why: "both sides changed the same lines" };
  });
}

/** The changes of a plan as the log has them: each content before and after as a hash. Stores the new contents. */
export async function toAppliedFiles(plans: readonly FilePlan[], { putBlob }: Pick<SourceFiles, "putBlob">): Promise<AppliedFile[]> {
  const files: AppliedFile[] = [];
  for (const { path: name, now, content, mode } of plans)
    files.push({
      path: name,
      before: now,
      after: content === null ? null : await putBlob(content),
      ...omitUndefined({ mode }),
    });
  return files;
}

/**
 * Writes contents of the log into the source checkout, `after` or back to `before`. A file that has changed meanwhile is left unchanged.
 * Returns the files that were written and the reasons for the others.
 */
export async function writeFiles(
  files: readonly AppliedFile[],
  direction: "after" | "before",
  checkout: string,
  { snapshots }: Pick<SourceFiles, "snapshots">,
): Promise<{ written: AppliedFile[]; left: { path: string; why: string }[] }> {
  const written: AppliedFile[] = [];
  const left: { path: string; why: string }[] = [];
  for (const file of files) {
    const [from, to] = direction === "after" ? [file.before, file.after] : [file.after, file.before];
    const now = await snapshots.now(checkout, file.path);
    if (now !== from && now !== to) {
      left.push({ path: file.path, why: "somebody has changed it meanwhile" });
      continue;
    }
    const restored = { path: file.path, to, ...omitUndefined({ mode: file.mode }) };
    const problem = now === to ? undefined : await snapshots.restore(checkout, restored, new AbortController().signal);
    if (problem) left.push({ path: file.path, why: problem.message });
    else written.push(file);
  }
  return { written, left };
}

const hashOf = (content: Buffer | null): string | null => (content === null ? null : hash("sha256", content));
