import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { formatCount } from "@baton/core/text/format";
import type { Ports } from "../../system/ports.ts";
import { toolArguments } from "../arguments.ts";
import { actingTool, failed, field, ok } from "../tool-types.ts";
import { diffView, endOfDiff } from "./diff.ts";
import { explainPathError, mayRevealFiles } from "./may-reveal-file.ts";
import { replaceText } from "./replace-text.ts";
import { escapeHidden } from "../result-text.ts";

type Edit = { path: string; old_text: string; new_text: string; replace_all?: boolean | undefined };

export const editFile = actingTool({
  ...toolFields("edit_file"),
  description:
    "Replace a text in a file. old_text must appear in it exactly as written, spaces included, and exactly once unless replace_all is set.",
  input: toolArguments({
    path: z.string().min(1),
    old_text: z.string().min(1).describe("with enough lines around to be unique; without line numbers"),
    new_text: z.string(),
    replace_all: z.boolean().optional(),
  }),
  label: (input) => ({ verb: "edit", object: escapeHidden(field(input, "path")) }),
  access: ({ path }) => [{ action: "edit", resource: path }],
  beforehand: async (edit, context) => {
    if (!mayRevealFiles([edit.path], context)) return undefined;
    const edited = await apply(edit, context.ports, context.signal);
    return "fault" in edited ? failed(edited.fault) : undefined;
  },
  preview: async (edit, { ports, signal }) => {
    const edited = await apply(edit, ports, signal);
    if ("fault" in edited) return { type: "text", text: `The edit cannot be made: ${edited.fault}`, format: "plain" };
    return diffView(edited.relative, edited.before, edited.after);
  },
  run: async (edit, { ports, signal }) => {
    const edited = await apply(edit, ports, signal);
    if ("fault" in edited) return failed(edited.fault);
    const written = await ports.files.writeText(edit.path, edited.after, signal);
    if ("fault" in written) return failed(explainPathError(written, edit.path));
    const view = diffView(edited.relative, edited.before, edited.after);
    return ok(`Replaced ${formatCount(edited.count, "place")} in ${edited.relative}.`, { view, end: endOfDiff(view) });
  },
});

type Edited = { relative: string; before: string; after: string; count: number } | { fault: string };

async function apply(edit: Edit, ports: Pick<Ports, "files">, signal: AbortSignal): Promise<Edited> {
  const file = await ports.files.readText(edit.path, signal, "edit");
  if ("fault" in file)
    return {
      fault:
        file.fault === "missing" ? `${explainPathError(file, edit.path)} Use write_file to create it.` : explainPathError(file, edit.path),
    };
  const replaced = replaceText(file.text, { old: edit.old_text, now: edit.new_text, all: edit.replace_all ?? false });
  if ("fault" in replaced) return replaced;
  return { relative: file.relative, before: file.text, after: replaced.text, count: replaced.count };
}
