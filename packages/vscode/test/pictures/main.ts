import { fileURLToPath } from "node:url";
import { chromiumPath, endBrowser } from "../../../web/test/support/browser.ts";
import { editorPictures } from "./editor.ts";
import { pagePictures } from "./page.ts";
import { terminalPictures } from "./terminal.ts";

// Takes the pictures in docs/images and records the terminal. The model is scripted; everything else is real.
const folder = fileURLToPath(new URL("../../../../docs/images", import.meta.url));
const all: Record<string, (folder: string) => Promise<void>> = { terminal: terminalPictures, page: pagePictures, editor: editorPictures };

if (chromiumPath === undefined) throw new Error("Pictures need Chromium. Install it, or set CHROME_BIN to its path.");
const names = process.argv.slice(2);
for (const [name, take] of Object.entries(all)) {
  if (names.length > 0 && !names.includes(name)) continue;
  await take(folder);
  console.log(`${name}: done`);
}
await endBrowser();
process.exit(); // the recorded terminal keeps a handle open
