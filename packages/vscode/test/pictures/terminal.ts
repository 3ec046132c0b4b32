import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { TestBrowser } from "../../../web/test/support/browser.ts";
import { recordTerminal, type Recording } from "../../../cli/test/support/record-terminal.ts";
import { TerminalScreen } from "./terminal-screen.ts";

const COLUMNS = 100;
const ROWS = 30;

/** Records `baton demo` as an asciicast, and takes a picture of the screen while it asks about a change. */
export async function terminalPictures(folder: string): Promise<void> {
  const recording = await recordTerminal({ columns: COLUMNS, rows: ROWS, args: ["demo"] }, async ({ until, press }) => {
    await until("Do you trust");
    await press("1", 2_500);
    await until("What should happen?");
    await press("1", 2_000);
    await until("Change this file?");
    await press("1", 3_500);
    await until("Run this command?");
    await press("1", 2_500);
    await until("This is the end of the demo");
    await press("\u0003", 2_500);
    await press("\u0003", 300);
  });
  writeFileSync(path.join(folder, "demo.cast"), castOf(recording));
  const until = recording.output.findIndex(({ text }) => text.includes("Change this file?"));
  await pictureOf(recording.output.slice(0, until + 3), path.join(folder, "terminal.png"));
}

/** The recording in the format asciicast v2. Players shorten pauses to two seconds. */
function castOf({ output }: Recording): string {
  const header = { version: 2, width: COLUMNS, height: ROWS, title: "baton demo", idle_time_limit: 2, env: { TERM: "xterm-256color" } };
  const events = output.map(({ at, text }) => [Number((at / 1000).toFixed(3)), "o", text]);
  return `${[header, ...events].map((line) => JSON.stringify(line)).join("\n")}\n`;
}

async function pictureOf(output: Recording["output"], file: string): Promise<void> {
  const screen = new TerminalScreen();
  for (const { text } of output) screen.write(text);
  const page = readFileSync(fileURLToPath(new URL("terminal.html", import.meta.url)), "utf8").replace("SCREEN", () => screen.html(ROWS));
  await using browser = await TestBrowser.start();
  const window = await browser.page("about:blank", { width: 960, height: 720 });
  await window.setContent(page);
  await window.locator("pre").screenshot({ path: file });
}
