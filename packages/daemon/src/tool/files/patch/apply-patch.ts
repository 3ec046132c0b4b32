import { omitUndefined } from "@baton/core/text/omit-undefined";
import { toolFields } from "@baton/core/tool/tool-table";
import type { DiffView } from "@baton/core/protocol/tool-view";
import { formatCount } from "@baton/core/text/format";
import * as z from "zod";
import { toolArguments } from "../../input-schema.ts";
import { actingTool, failed, inputField, ok, type PreviewContext } from "../../tool-types.ts";
import { applyHunks } from "../../edit/patch/apply-hunks.ts";
import { parsePatch } from "../../edit/patch/parse-patch.ts";
import type { FilePatch } from "../../edit/patch/patch-types.ts";
import { ignoredDifferencesText } from "../../edit/ignored-differences-text.ts";
import { deletionView, diffText, diffView, textOfDiff } from "../diff/diff.ts";
import { explainPathError, mayRevealAllFiles } from "../may-reveal-file.ts";
import { escapeHidden } from "../../result-text.ts";

const MAX_CHARACTERS = 500_000;

export const applyPatch = actingTool({
  ...toolFields("apply_patch"),
  description:
    'Patch files: "*** Begin Patch", then per file "*** Add File: p" with + lines, "*** Delete File: p", or "*** Update File: p" (and "*** Move to: q") with "@@ [line above]" hunks of space, - and + lines; "*** End Patch".',
  input: toolArguments({ patch: z.string().min(1).max(MAX_CHARACTERS) }),
  label: (input) => {
    const files = parsePatch(inputField(input, "patch"));
    return { verb: "patch", object: "fault" in files ? "" : escapeHidden(files.map(({ path }) => path).join(", ")) };
  },
  // An invalid patch touches nothing; its run reports the problem. The result and its errors quote a file that the patch updates.
  access: ({ patch }) => {
    const files = parsePatch(patch);
    if ("fault" in files) return [{ action: "session", resource: "apply_patch" }];
    const quoted = files.filter(({ kind }) => kind === "update");
    const edited = files.flatMap((file) => (file.kind === "update" && file.to !== undefined ? [file.path, file.to] : [file.path]));
    return [
      ...[...new Set(edited)].map((path) => ({ action: "edit", resource: path })),
      ...quoted.map(({ path }) => ({ action: "read", resource: path })),
    ];
  },
  beforehand: async ({ patch }, context) => {
    const files = parsePatch(patch);
    const paths = "fault" in files ? [] : files.map(({ path }) => path);
    if (!mayRevealAllFiles(paths, context)) return undefined;
    const changes = await changesOf(patch, context);
    return "fault" in changes ? unchanged(changes) : undefined;
  },
  preview: async ({ patch }, context) => {
    const changes = await changesOf(patch, context);
    if ("fault" in changes) return { type: "text", text: `The patch cannot be applied: ${changes.fault}`, format: "plain" };
    const [only] = changes;
    return only && changes.length === 1
      ? only.view
      : { type: "text", text: changes.map(({ view }) => textOfDiff(view)).join("\n\n"), format: "plain" };
  },
  run: async ({ patch }, context) => {
    const changes = await changesOf(patch, context);
    if ("fault" in changes) return unchanged(changes);
    const { files } = context.ports;
    const done: string[] = [];
    for (const { path, to, text } of changes) {
      const moved = to === undefined ? undefined : await files.move(path, to, context.signal);
      const fault = moved && "fault" in moved ? moved : undefined;
      const written =
        fault ?? (text === undefined ? await files.remove(path, context.signal) : await files.writeText(to ?? path, text, context.signal));
      if ("fault" in written)
        return failed(
          `${explainPathError(written, to ?? path)}\n${done.length === 0 ? "Nothing was changed." : `Changed before that: ${done.join(", ")}.`}`,
        );
      done.push(to ?? path);
    }
    const [only] = changes;
    const ignored = [...new Set(changes.flatMap(({ ignored: each }) => each))];
    return ok(`Changed ${done.join(", ")}.${ignoredDifferencesText(ignored)}${diffOf(changes)}`, {
      end: formatCount(changes.length, "file"),
      ...(only && changes.length === 1 ? { view: only.view } : {}),
    });
  },
});

const unchanged = ({ fault }: { fault: string }) => failed(`${fault}\nNothing was changed.`);

/** The change of one file. `text`: its new content, undefined if it is deleted. `ignored`: what Baton ignored to match its lines. */
type Change = { path: string; to?: string; text: string | undefined; view: DiffView; ignored: string[] };

/** Computes all changes of the patch before anything is written. */
async function changesOf(patch: string, context: PreviewContext): Promise<Change[] | { fault: string }> {
  const files = parsePatch(patch);
  if ("fault" in files) return files;
  const changes: Change[] = [];
  for (const file of files) {
    const change = await changeOf(file, context);
    if ("fault" in change) return change;
    changes.push(change);
  }
  return changes;
}

async function changeOf(file: FilePatch, { ports, signal }: PreviewContext): Promise<Change | { fault: string }> {
  const { path } = file;
  const before = await ports.files.readText(path, signal, "edit");
  if (file.kind === "add") {
    if (!("fault" in before)) return { fault: `${path} already exists. Update it, or choose another name.` };
    return before.fault === "missing"
      ? { path, text: file.text, view: diffView(path, undefined, file.text), ignored: [] }
      : { fault: explainPathError(before, path) };
  }
  if ("fault" in before) return { fault: explainPathError(before, path) };
  if (file.kind === "delete") return { path, text: undefined, view: deletionView(before.relative, before.text), ignored: [] };
  const after = applyHunks(before.text, file.hunks, path);
  if ("fault" in after) return after;
  if (after.text === before.text && file.to === undefined)
    return { fault: `The patch changes nothing in ${path}: the file already has these lines.` };
  return {
    path,
    ...omitUndefined({ to: file.to }),
    text: after.text,
    ignored: after.ignored,
    view: diffView(file.to ?? before.relative, before.text, after.text),
  };
}

/** The changes to existing files, so that the agent can check whether the patch hit the right place. */
function diffOf(changes: readonly Change[]): string {
  const views = changes.map(({ view }) => view).filter(({ change }) => change === "change");
  return views.length === 0 ? "" : `\n${diffText(views)}`;
}
