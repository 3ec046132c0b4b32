import { formatCount } from "@baton/core/text/format";
import type { Notebook, NotebookOutput } from "./notebook.ts";
import * as z from "zod";

const MAX_OUTPUT_LINES = 10;
const MAX_OUTPUT_CHARACTERS = 1_000;

/** A notebook as a text for the model: its cells in order, each with a short form of its outputs. */
export function notebookText({ cells, metadata }: Notebook): string {
  const language = metadata?.language_info?.name;
  const parts = cells.flatMap(({ cell_type: type, source, outputs = [] }, i) => {
    const shown = outputs.map(outputText).filter((text) => text !== "");
    return [
      `--- cell ${i + 1}, ${type}`,
      ...(source === "" ? [] : [source.replace(/\n$/, "")]),
      ...(shown.length === 0 ? [] : [`--- output of cell ${i + 1}`, ...shown]),
    ];
  });
  return [`Notebook${language === undefined ? "" : ` in ${language}`}, ${formatCount(cells.length, "cell")}`, ...parts, ""].join("\n");
}

function outputText({ text, data = {}, ename, evalue }: NotebookOutput): string {
  if (ename !== undefined) return shortened(`${ename}: ${evalue ?? ""}`);
  if (text !== undefined) return shortened(text);
  const plain = PlainText.safeParse(data["text/plain"]);
  const others = Object.keys(data).filter((type) => type !== "text/plain");
  return [...(plain.success ? [shortened(plain.data)] : []), ...(others.length === 0 ? [] : [`(${others.join(", ")})`])].join("\n");
}

const PlainText = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);

// oxlint-disable-next-line no-control-regex
const COLORS = /\x1b\[[0-9;]*m/g;

/** The beginning of an output, and how much is missing. */
function shortened(output: string): string {
  const lines = output.replace(COLORS, "").replace(/\n$/, "").split("\n");
  const text = lines.slice(0, MAX_OUTPUT_LINES).join("\n");
  const cut = text.length > MAX_OUTPUT_CHARACTERS ? `${text.slice(0, MAX_OUTPUT_CHARACTERS).toWellFormed()}…` : text;
  return lines.length > MAX_OUTPUT_LINES ? `${cut}\n(${lines.length - MAX_OUTPUT_LINES} more lines)` : cut;
}
