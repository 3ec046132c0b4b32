import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";
import { explainPathError, missingFileOutcome } from "./may-reveal-file.ts";
import { escapeHidden } from "../result-text.ts";

export const moveFile = actingTool({
  ...toolFields("move_file"),
  description: "Move or rename one file. An existing file is never replaced.",
  input: toolArguments({ path: z.string().min(1), to: z.string().min(1) }),
  label: (input) => ({ verb: "move", object: escapeHidden(`${inputField(input, "path")} → ${inputField(input, "to")}`) }),
  // The file may be readable under its new name, so the move counts as a read under the old name.
  access: ({ path, to }) => [
    { action: "edit", resource: path },
    { action: "edit", resource: to },
    { action: "read", resource: path },
  ],
  beforehand: async ({ path }, context) => missingFileOutcome(path, context),
  question: "Move this file?",
  preview: async ({ path, to }) => ({ type: "text", text: `${path}\n→ ${to}`, format: "plain" }),
  run: async ({ path, to }, { ports, signal }) => {
    const moved = await ports.files.move(path, to, signal);
    return "fault" in moved ? failed(explainPathError(moved, path)) : ok(`Moved ${moved.relative} to ${moved.to}.`, { end: moved.to });
  },
});
