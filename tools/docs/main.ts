import { globSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pageText } from "./reference/page.ts";
import { referencePages } from "./reference/pages.ts";

/** Writes the pages of the reference and removes pages that no longer exist. */
const folder = path.resolve(import.meta.dirname, "../../docs/reference");
const pages = referencePages();
for (const file of globSync("*.md", { cwd: folder })) if (!pages.some((page) => page.file === file)) rmSync(path.join(folder, file));
for (const page of pages) writeFileSync(path.join(folder, page.file), pageText(page));
console.log(`${pages.length} pages in docs/reference`);
