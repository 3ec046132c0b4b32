import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { formatCount } from "@baton/core/text/format";
import type { Ports } from "../../system/system-ports.ts";
import { offeredSchema, toolArguments } from "../input-schema.ts";
import { editFileText } from "../notebook/edit-notebook.ts";
import { ignoredDifferencesText } from "../edit/ignored-differences-text.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";
import { diffText, diffView, endOfDiff } from "./diff/diff.ts";
import { explainPathError, mayRevealAllFiles } from "./may-reveal-file.ts";
import { escapeHidden } from "../result-text.ts";

const change = {
  old_text: z.string().describe("with enough lines around to be unique; without line numbers"),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
};

const oneEdit = toolArguments({ path: z.string().min(1), ...change });

/** Models know `edits` from other agents. The schema does not offer it, because one form is easier to learn. */
const input = toolArguments({
  path: z.string().min(1),
  old_text: change.old_text.optional(),
  new_text: change.new_text.optional(),
  replace_all: change.replace_all,
  edits: z.array(toolArguments(change)).min(1).max(200).optional(),
}).superRefine(({ old_text, new_text, edits }, context) => {
  if (edits) return;
  if (old_text === undefined) context.addIssue({ code: "custom", path: ["old_text"], message: "Send the text to replace." });
  if (new_text === undefined) context.addIssue({ code: "custom", path: ["new_text"], message: "Send the text to write in its place." });
});

type Call = z.output<typeof input>;
type Change = z.output<z.ZodObject<typeof change>>;

export const editFile = actingTool({
  ...toolFields("edit_file"),
  description:
    "Replace a text in a file. old_text must appear in it exactly as written, spaces included, and exactly once unless replace_all is set.",
  input,
  schema: offeredSchema(oneEdit),
  label: (given) => ({ verb: "edit", object: escapeHidden(inputField(given, "path")) }),
  // The result and its errors quote the file.
  access: ({ path }) => [
    { action: "edit", resource: path },
    { action: "read", resource: path },
  ],
  beforehand: async (call, context) => {
    if (!mayRevealAllFiles([call.path], context)) return undefined;
    const edited = await apply(call, context.ports, context.signal);
    return "fault" in edited ? failed(edited.fault) : undefined;
  },
  preview: async (call, { ports, signal }) => {
    const edited = await apply(call, ports, signal);
    if ("fault" in edited) return { type: "text", text: `The edit cannot be made: ${edited.fault}`, format: "plain" };
    return diffView(edited.relative, edited.before, edited.after);
  },
  run: async (call, { ports, signal }) => {
    const edited = await apply(call, ports, signal);
    if ("fault" in edited) return failed(edited.fault);
    const written = await ports.files.writeText(call.path, edited.after, signal);
    if ("fault" in written) return failed(explainPathError(written, call.path));
    const { relative } = written;
    const view = diffView(relative, edited.before, edited.after);
    const done = edited.before === undefined ? `Created ${relative}.` : `Replaced ${formatCount(edited.count, "place")} in ${relative}.`;
    const shown = edited.before === undefined ? "" : `\n${diffText([view])}`;
    return ok(`${done}${ignoredDifferencesText(edited.ignored)}${shown}`, { view, end: endOfDiff(view) });
  },
});

/** `before` is undefined if the edit creates the file. */
type Edited = { relative: string; before: string | undefined; after: string; count: number; ignored: string[] } | { fault: string };

async function apply({ path, edits, ...single }: Call, ports: Pick<Ports, "files">, signal: AbortSignal): Promise<Edited> {
  const changes: Change[] = edits ?? [
    { old_text: single.old_text ?? "", new_text: single.new_text ?? "", replace_all: single.replace_all },
  ];
  const file = await ports.files.readText(path, signal, "edit");
  const creates = changes[0]?.old_text === "";
  if ("fault" in file && !(file.fault === "missing" && creates))
    return {
      fault: file.fault === "missing" ? `${explainPathError(file, path)} Use write_file to create it.` : explainPathError(file, path),
    };
  const before = "fault" in file ? undefined : file.text;
  const done = changeText(path, before ?? "", changes);
  return "fault" in done ? done : { relative: "fault" in file ? path : file.relative, before, ...done };
}

/** Makes one edit after the other, all or none. */
function changeText(
  path: string,
  text: string,
  changes: readonly Change[],
): { after: string; count: number; ignored: string[] } | { fault: string } {
  let after = text;
  let count = 0;
  const ignored = new Set<string>();
  for (const [i, { old_text: old, new_text: now, replace_all: all = false }] of changes.entries()) {
    const edited = old === "" ? fillEmpty(after, now) : editFileText(path, after, { old, now, all });
    if ("fault" in edited)
      return { fault: changes.length === 1 ? edited.fault : `Edit ${i + 1} of ${changes.length}: ${edited.fault}\nNothing was changed.` };
    after = edited.text;
    count += edited.count;
    for (const each of edited.ignored) ignored.add(each);
  }
  return { after, count, ignored: [...ignored] };
}

/** An empty old_text has a meaning only where there is no text yet. */
const fillEmpty = (text: string, now: string): { text: string; count: number; ignored: string[] } | { fault: string } =>
  text === ""
    ? { text: now, count: 1, ignored: [] }
    : { fault: "old_text is empty, but the file has text. Name the text to replace, or use write_file to replace the whole file." };
