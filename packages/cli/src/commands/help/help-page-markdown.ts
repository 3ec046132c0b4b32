import path from "node:path";
import { joinParagraphs } from "./join-paragraphs.ts";

/** The Markdown of a page for the terminal: without comments and pictures, and with commands in the place of links to other pages. */
export const pageForTerminal = (text: string, name: string): string =>
  joinParagraphs(text.replaceAll(HIDDEN, "").replaceAll(LINK, (_, label: string, target: string) => linkText(label, target, name)));

/** Comments, and lines that contain only an image. */
const HIDDEN = /<!--[^]*?-->\n+|^!\[[^\]]*\]\([^)]*\)\n+/gm;

const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;

function linkText(label: string, target: string, from: string): string {
  const [file = ""] = target.split("#");
  if (/^[a-z]+:/.test(target)) return `[${label}](${target})`;
  if (file === "" || !file.endsWith(".md")) return label;
  const page = path.posix.join(path.posix.dirname(from), file.slice(0, -".md".length));
  const isTopic = !page.startsWith("..") && !/^(decisions|reports)\/|README$/.test(page);
  return isTopic ? `${label} (\`baton help ${page}\`)` : label;
}
