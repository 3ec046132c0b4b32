import { createReadStream, existsSync, statSync, unwatchFile, watchFile } from "node:fs";
import { batonPaths } from "@baton/daemon/client";
import { oneLine } from "@baton/core/text/sanitize";
import { isRecord, parseJson } from "@baton/core/text/json";
import { EXIT_CODES, CommandExit } from "../../connection/exit-codes.ts";

type Options = { follow?: boolean; json?: boolean };

/** Prints the daemon's log, formatted or as JSON. `--follow` keeps printing new lines. */
export async function daemonLogs({ follow = false, json = false }: Options): Promise<void> {
  const { logFile } = batonPaths(process.env);
  if (!existsSync(logFile)) throw new CommandExit(`There is no log at ${logFile} yet.`, EXIT_CODES.failed);
  const print = json ? (text: string) => void process.stdout.write(text) : printer();
  let at = await copyFrom(logFile, 0, print);
  if (!follow) return;
  await new Promise<void>((ended) => {
    let copying = Promise.resolve();
    watchFile(logFile, { interval: 250 }, () => {
      copying = copying.then(async () => void (at = await copyFrom(logFile, statSync(logFile).size < at ? 0 : at, print)));
    });
    process.once("SIGINT", () => ended());
  });
  unwatchFile(logFile);
}

async function copyFrom(file: string, start: number, print: (text: string) => void): Promise<number> {
  let end = start;
  for await (const chunk of createReadStream(file, { start })) {
    if (!Buffer.isBuffer(chunk)) continue;
    end += chunk.length;
    print(chunk.toString("utf8"));
  }
  return end;
}

/** Collects pieces of the log and prints its complete lines. */
function printer(): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) process.stdout.write(`${formatLine(line)}\n`);
  };
}

/** Formats a line: time, process and message, with an error below it. Lines that Baton did not write stay as they are. */
function formatLine(line: string): string {
  const { at, pid, note, problem, error } = parseLine(line) as Partial<Record<string, unknown>>;
  if (typeof at !== "string" || typeof pid !== "number") return oneLine(line);
  const what = typeof note === "string" ? `  ${note}` : `✗ ${String(problem)}`;
  const errorLines = typeof error === "string" ? error.split("\n").map((each) => `\n      ${oneLine(each)}`) : [];
  return `${at.slice(0, 19).replace("T", " ")}Z  pid ${pid}  ${what}${errorLines.join("")}`;
}

function parseLine(line: string): object {
  const value = parseJson(line);
  return isRecord(value) ? value : {}; // not a line of Baton's log
}
