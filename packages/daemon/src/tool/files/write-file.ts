import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { formatCount } from "@baton/core/text/format";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";
import { diffView, endOfDiff } from "./diff/diff.ts";
import { explainPathError } from "./may-reveal-file.ts";
import { splitLines } from "./number-lines.ts";
import { escapeHidden } from "../result-text.ts";

export const writeFile = actingTool({
  ...toolFields("write_file"),
  description: "Create a file, or replace its whole content. Use edit_file to change some lines.",
  input: toolArguments({ path: z.string().min(1), content: z.string() }),
  label: (input) => ({ verb: "write", object: escapeHidden(inputField(input, "path")) }),
  access: ({ path }) => [{ action: "edit", resource: path }],
  preview: async ({ path, content }, { ports, signal }) => {
    const before = await ports.files.readText(path, signal, "edit");
    if ("fault" in before && before.fault !== "missing")
      return { type: "text", text: `${explainPathError(before, path)}\n\n${content}`, format: "plain" };
    return "fault" in before ? diffView(path, undefined, content) : diffView(before.relative, before.text, content);
  },
  run: async ({ path, content }, { ports, signal }) => {
    const before = await ports.files.readText(path, signal, "edit");
    const written = await ports.files.writeText(path, content, signal);
    if ("fault" in written) return failed(explainPathError(written, path));
    const { relative, created } = written;
    const lines = formatCount(splitLines(content).length, "line");
    if ("fault" in before && !created) return ok(`Wrote ${relative} (${lines}).`, { end: lines });
    const view = diffView(relative, "fault" in before ? undefined : before.text, content);
    return ok(`${created ? "Created" : "Wrote"} ${relative} (${lines}).`, { view, end: endOfDiff(view) });
  },
});
