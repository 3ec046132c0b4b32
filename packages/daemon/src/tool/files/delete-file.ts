import { counted } from "@baton/core/text/format";
import * as z from "zod";
import type { Fault } from "../../system/system-fault.ts";
import { toolArguments } from "../arguments.ts";
import { actingTool, failed, field, ok } from "../tool-types.ts";
import { deletionView, endOfDiff } from "./diff.ts";
import { explain } from "./explain-path-error.ts";
import { notThere } from "./may-reveal-file.ts";
import { shown } from "../result-text.ts";

export const deleteFile = actingTool({
  name: "delete_file",
  group: "edit",
  action: "edit",
  description: "Delete one file.",
  input: toolArguments({ path: z.string().min(1) }),
  label: (input) => ({ verb: "delete", object: shown(field(input, "path")) }),
  access: ({ path }) => [{ action: "edit", resource: path }],
  beforehand: async ({ path }, context) => notThere(path, context),
  question: "Delete this file?",
  preview: async ({ path }, { ports, signal }) => {
    const before = await ports.files.readText(path, signal, "edit");
    if (!("fault" in before)) return deletionView(before.relative, before.text);
    const stat = ports.files.stat(path);
    const about = "fault" in stat ? before.message : `${stat.relative}: ${counted(stat.size)} bytes. ${unseen(before)}`;
    return { type: "text", text: about, format: "plain" };
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

/** Why a person cannot see what would be deleted. */
const unseen = ({ fault, message }: Fault): string => (fault === "binary" ? "Its content is not text, so it is not shown." : message);
