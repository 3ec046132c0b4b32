import * as z from "zod";
import { toolArguments } from "./arguments.ts";
import { actingTool, failed, field, ok } from "./define.ts";
import { deletionView, endOfDiff } from "./diff.ts";
import { explain } from "./explain.ts";
import { notThere } from "./look.ts";
import { shown } from "./shown.ts";

export const deleteFile = actingTool({
  name: "delete_file",
  group: "edit",
  action: "edit",
  description: "Delete one file.",
  input: toolArguments({ path: z.string().min(1) }),
  label: (input) => ({ verb: "delete", object: shown(field(input, "path")) }),
  access: ({ path }) => [{ action: "edit", resource: path }],
  beforehand: async ({ path }, context) => notThere(path, context),
  preview: async ({ path }, { ports, signal }) => {
    const before = await ports.files.readText(path, signal, "edit");
    return "fault" in before ? { type: "text", text: explain(before, path), format: "plain" } : deletionView(before.relative, before.text);
  },
  run: async ({ path }, { ports, signal }) => {
    const before = await ports.files.readText(path, signal, "edit");
    const removed = await ports.files.remove(path, signal);
    if ("fault" in removed) return failed(explain(removed, path));
    if ("fault" in before) return ok(`Deleted ${removed.relative}.`, { end: "deleted" });
    const view = deletionView(removed.relative, before.text);
    return ok(`Deleted ${removed.relative}.`, { view, end: endOfDiff(view) });
  },
});
