import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

/** A page of the repository and its place on the site. `README.md` is the first page of its folder. */
export type SitePage = { source: string; target: string; title: string; text: string };

const SOURCES = ["*.md", "docs/**/*.md", "packages/vscode/README.md"];

/** All Markdown pages for the site. */
export function sitePages(): SitePage[] {
  const sources = globSync(SOURCES, { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));
  return sources.toSorted().map((source) => {
    const text = readFileSync(path.join(root, source), "utf8");
    return { source, target: asIndex(source), title: /^# (.*)$/m.exec(text)?.[1] ?? source, text: siteText(text) };
  });
}

const asIndex = (file: string): string => file.replace(/(^|\/)README\.md$/, "$1index.md");

/** The text of a page: links to a `README.md` lead to the first page of its folder, and comments are left out. */
const siteText = (text: string): string =>
  text.replaceAll(/<!--[^]*?-->\n+/g, "").replaceAll(/\]\(([^)\s]*)README\.md(#[^)]*)?\)/g, "]($1index.md$2)");
