import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** What a processor of Markdown keeps for its reader, beside other things. */
type Extensions = { [name: string]: unknown; micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };

/** Reads tables, task lists, footnotes and bare links. The package `remark-gfm` would bring a writer of Markdown with it, which nothing here uses. */
export function githubMarkdown(this: { data: () => object }): void {
  const data: Extensions = this.data() as Extensions; // its fields are known to the reader that looks for them
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()];
}
