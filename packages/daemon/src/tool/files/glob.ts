import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { formatCount, formatNumber } from "@baton/core/text/format";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";
import { missingFileOutcome } from "./may-reveal-file.ts";
import { escapeHidden } from "../result-text.ts";

const MAX_SHOWN = 500;

export const glob = actingTool({
  ...toolFields("glob"),
  description: "Find files by name, such as **/*.test.ts. Skips ignored files.",
  input: toolArguments({
    pattern: z.string().min(1),
    path: z.string().min(1).optional().describe("folder to search, default the workspace"),
  }),
  label: (input) => ({ verb: "find", object: escapeHidden(inputField(input, "pattern")) }),
  access: ({ path = "." }) => [{ action: "read", resource: path }],
  run: async ({ pattern, path = "." }, context) => {
    const { ports, signal } = context;
    const found = await ports.search.files({ path, glob: pattern }, signal);
    if ("fault" in found) return failed(found.message);
    const { files, capped } = found;
    const left = found.leftOut > 0 ? `\n(${formatCount(found.leftOut, "file")} without read permission omitted)` : "";
    if (files.length === 0)
      return missingFileOutcome(path, context) ?? ok(`No file in ${path} matches ${pattern}.${left}`, { end: "none" });
    const some = files.slice(0, MAX_SHOWN);
    const more =
      files.length > MAX_SHOWN || capped
        ? `\n(${some.length} of ${formatNumber(files.length)}${capped ? " or more" : ""}; narrow it down)`
        : "";
    return ok(some.join("\n") + more + left, {
      end: `${formatCount(files.length, "file")}${capped ? "+" : ""}`,
      view: { type: "files", files: some.map((file) => ({ path: file })) },
    });
  },
});
