import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../../..");

/** A command line in a code block of a page. */
export type CommandLine = { page: string; line: string };

/** Documents for users. Decisions and reports are for contributors, and tests compare the reference with the code. */
const PAGES = globSync(["README.md", "docs/**/*.md"], { cwd: root })
  .map((page) => page.replaceAll(path.sep, "/"))
  .filter((page) => !/^docs\/(reference|decisions|reports)\//.test(page));

/** The command lines of all pages, without their comments. */
export const commandLines = (): CommandLine[] =>
  PAGES.toSorted().flatMap((page) => {
    const blocks = pageText(page).matchAll(/^[ ]*```(\w*)\n([^]*?)^[ ]*```$/gm);
    const lines = Array.from(blocks, ([, language = "", block = ""]) =>
      language === "" || language === "sh" ? block.split("\n") : [],
    ).flat();
    return lines
      .map((line) => line.replace(/\s+#.*$/, "").trim())
      .filter((line) => /^(baton|npm|git|cd|ln|mkdir|pass)\b/.test(line))
      .map((line) => ({ page, line }));
  });

export const pageText = (page: string): string => readFileSync(path.join(root, page), "utf8");

/** A line that opens the terminal client. */
export const isInteractive = (line: string): boolean => /^baton( -c| -w \S+| --mode \S+| "[^"]+")?$|^baton attach/.test(line);
