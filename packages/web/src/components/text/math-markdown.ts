import { mathFromMarkdown } from "mdast-util-math";
import { math } from "micromark-extension-math";
import type { Extensions } from "./github-markdown.ts";

/** Adds formulas between dollar signs. It loads only when a text seems to have one. */
export function mathMarkdown(this: { data: () => object }): void {
  const data: Extensions = this.data() as Extensions; // the parser reads these fields
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), math()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), mathFromMarkdown()];
}
