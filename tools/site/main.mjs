// Builds the site from the Markdown pages of the repository. VitePress fails on a link to a page that does not exist.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "vitepress";
import { sitePages } from "./pages.ts";
import { sidebarOf } from "./sidebar.ts";

const folder = import.meta.dirname;
const staged = path.join(folder, "staged");
const pages = sitePages();

rmSync(staged, { recursive: true, force: true });
for (const { target, text } of pages) write(target, text);
write("sidebar.json", JSON.stringify(sidebarOf(pages)));
cpSync(path.resolve(folder, "../../docs/images"), path.join(staged, "docs/images"), { recursive: true });
mkdirSync(path.join(staged, "public"), { recursive: true });
cpSync(path.resolve(folder, "../../packages/web/src/style/icon.svg"), path.join(staged, "public/icon.svg"));
await build(folder);
rmSync(staged, { recursive: true });
console.log(`${pages.length} pages in ${path.relative(process.cwd(), path.join(folder, "dist"))}`);

function write(name, text) {
  const file = path.join(staged, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
