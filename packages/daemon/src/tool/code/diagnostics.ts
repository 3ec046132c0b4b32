import { formatCount } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { toolArguments } from "../input-schema.ts";
import { explainPathError } from "../files/may-reveal-file.ts";
import { escapeHidden } from "../result-text.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";

const MAX_SHOWN = 50;
const MAX_MESSAGE = 300;

export const diagnosticsTool = actingTool({
  ...toolFields("diagnostics"),
  description: "List the errors of a file. New errors after your edits come by themselves.",
  input: toolArguments({ path: z.string().min(1) }),
  label: (input) => ({ verb: "check", object: escapeHidden(inputField(input, "path")) }),
  access: ({ path }) => [{ action: "read", resource: path }],
  run: async ({ path }, { ports, cwd, code, signal }) => {
    const file = ports.files.stat(path);
    if ("fault" in file) return failed(explainPathError(file, path));
    const errors = await code.errors(cwd, file.relative, signal);
    if ("fault" in errors) return failed(errors.fault);
    if (errors.length === 0) return ok(`${file.relative} has no errors.`, { end: "no errors" });
    const shown = errors.slice(0, MAX_SHOWN).map((error) => ({ ...error, message: oneLine(error.message).slice(0, MAX_MESSAGE) }));
    const lines = shown.map(({ line, column, message }) => `${line}:${column}: ${message}`);
    const more = errors.length > MAX_SHOWN ? [`… and ${errors.length - MAX_SHOWN} more`] : [];
    return ok([`${file.relative} has ${formatCount(errors.length, "error")}:`, ...lines, ...more].join("\n"), {
      end: formatCount(errors.length, "error"),
      view: { type: "files", files: shown.map(({ line, message }) => ({ path: file.relative, line, note: message })) },
    });
  },
});
