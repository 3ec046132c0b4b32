import { toolFields } from "@baton/core/tool/tool-table";
import { attachmentSizeText } from "@baton/core/text/attachment-text";
import { formatNumber } from "@baton/core/text/format";
import * as z from "zod";
import type { Ports } from "../../system/system-ports.ts";
import type { ImageFile } from "../../system/files/read-text.ts";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok, type ToolExecutionResult } from "../tool-types.ts";
import { notebookText } from "../notebook/notebook-text.ts";
import { parseNotebook } from "../notebook/notebook.ts";
import { explainPathError } from "./may-reveal-file.ts";
import { cutLine, splitLines, numberLines } from "./number-lines.ts";
import { escapeHidden } from "../result-text.ts";

const MAX_LINES = 2_000;
const MAX_CHARACTERS = 100_000;

export const readFile = actingTool({
  ...toolFields("read_file"),
  description: `Read a text file, an image, a PDF or a notebook. Each line of a text is its number, a tab and the line; at most ${MAX_LINES} lines at once.`,
  input: toolArguments({
    path: z.string().min(1),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
  }),
  label: (input) => ({ verb: "read", object: escapeHidden(inputField(input, "path")) }),
  access: ({ path }) => [{ action: "read", resource: path }],
  run: async ({ path, start_line: start = 1, end_line: end }, { ports, signal }) => {
    const file = await ports.files.read(path, signal);
    if ("fault" in file) return failed(explainPathError(file, path));
    if ("bytes" in file) return imageResult(file, ports.blobs);
    const notebook = parseNotebook(file.relative, file.text);
    const lines = splitLines(notebook ? notebookText(notebook) : file.text);
    if (lines.length === 0) return ok(`${file.relative} is empty.`, { end: "empty" });
    if (start > lines.length) return failed(`${file.relative} has ${lines.length} lines, so start_line ${start} is after its end.`);
    if (end !== undefined && end < start) return failed(`end_line ${end} is before start_line ${start}.`);
    const wanted = Math.min(end ?? lines.length, lines.length);
    const shown = takeFitting(lines.slice(start - 1, Math.min(wanted, start - 1 + MAX_LINES)));
    const last = start - 1 + shown.length;
    const more =
      last < wanted ? `\n(lines ${start} to ${last} of ${formatNumber(lines.length)}; continue with start_line ${last + 1})` : "";
    return ok(numberLines(shown, start) + more, { end: start === last ? String(last) : `${start}–${last}` });
  },
});

/** Stores an image and returns a result that refers to it. */
async function imageResult({ relative, mediaType, bytes }: ImageFile, blobs: Ports["blobs"]): Promise<ToolExecutionResult> {
  const image = {
    blob: await blobs.put(bytes),
    mediaType,
    bytes: bytes.length,
    name: relative.slice(relative.lastIndexOf("/") + 1).slice(0, 200),
  };
  return ok(`${relative}: ${attachmentSizeText(mediaType, bytes.length)}.`, {
    images: [image],
    end: attachmentSizeText(mediaType, bytes.length),
  });
}

/** The lines that fit into one result, at least one. */
function takeFitting(lines: readonly string[]): readonly string[] {
  let characters = 0;
  const over = lines.findIndex((line) => (characters += cutLine(line).length + 8) > MAX_CHARACTERS);
  return over < 0 ? lines : lines.slice(0, Math.max(1, over));
}
