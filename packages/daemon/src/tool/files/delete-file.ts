import { toolFields } from "@baton/core/tool/tool-table";
import { formatNumber } from "@baton/core/text/format";
import * as z from "zod";
import type { SystemFault } from "../../system/system-fault.ts";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";
import { deletionView, endOfDiff } from "./diff/diff.ts";
import { explainPathError, missingFileOutcome } from "./may-reveal-file.ts";
import { escapeHidden } from "../result-text.ts";

export const deleteFile = actingTool({
  ...toolFields("delete_file"),
  description: "Delete one file.",
  input: toolArguments({ path: z.string().min(1) }),
  label: (input) => ({ verb: "delete", object: escapeHidden(inputField(input, "path")) }),
  access: ({ path }) => [{ action: "edit", resource: path }],
  beforehand: async ({ path }, context) => missingFileOutcome(path, context),
  question: "Delete this file?",
  preview: async ({ path }, { ports, signal }) => {
    const before = await ports.files.readText(path, signal, "edit");
    if (!("fault" in before)) return deletionView(before.relative, before.text);
    const stat = ports.files.stat(path);
    const about = "fault" in stat ? before.message : `${stat.relative}: ${formatNumber(stat.size)} bytes. ${hiddenReason(before)}`;
    return { type: "text", text: about, format: "plain" };
  },
  run: async ({ path }, { ports, signal }) => {
    const before = await ports.files.readText(path, signal, "edit");
    const removed = await ports.files.remove(path, signal);
    if ("fault" in removed) return failed(explainPathError(removed, path));
    if ("fault" in before) return ok(`Deleted ${removed.relative}.`, { end: "deleted" });
    const view = deletionView(removed.relative, before.text);
    return ok(`Deleted ${removed.relative}.`, { view, end: endOfDiff(view) });
  },
});

/** The reason why the user cannot see the content. */
const hiddenReason = ({ fault, message }: SystemFault): string =>
  fault === "binary" ? "Its content is not text, so it is not shown." : message;
