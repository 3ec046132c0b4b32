import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** Fields of the Markdown processor that extensions use. */
export type Extensions = { [name: string]: unknown; micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };

/**
 * Adds tables, task lists, footnotes and bare links. The package `remark-gfm` would also bring a Markdown writer, which the
 * page does not use.
 */
export function githubMarkdown(this: { data: () => object }): void {
  const data: Extensions = this.data() as Extensions; // the parser reads these fields
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()];
}
