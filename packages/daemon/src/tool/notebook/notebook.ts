import * as z from "zod";
import { parsedJson } from "../call/coerce-argument.ts";

/** A text of a notebook: one string, or lines with their ends. */
const Text = z.union([z.string(), z.array(z.string())]).transform((text) => (typeof text === "string" ? text : text.join("")));

const Output = z.object({
  output_type: z.string(),
  text: Text.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});

const Cell = z.object({ cell_type: z.string(), source: Text, outputs: z.array(Output).optional() });

const Notebook = z.object({
  nbformat: z.number(),
  cells: z.array(Cell),
  metadata: z.object({ language_info: z.object({ name: z.string() }).optional() }).optional(),
});

export type Notebook = z.output<typeof Notebook>;
export type NotebookOutput = z.output<typeof Output>;

/** Parses a Jupyter notebook. Undefined for other files and for invalid ones, which are plain text. */
export function parseNotebook(path: string, text: string): Notebook | undefined {
  if (!/\.ipynb$/i.test(path)) return undefined;
  const parsed = Notebook.safeParse(parsedJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** A text of a cell as the JSON array of lines that Jupyter writes. */
export const toSourceLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
