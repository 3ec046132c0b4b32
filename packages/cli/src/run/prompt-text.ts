import { fstatSync } from "node:fs";
import { text as wholeText } from "node:stream/consumers";
import { normalizePrompt } from "@baton/core/text/slash-command";
import { usageError } from "../connection/exit-codes.ts";

/** `typed` is the part that the user typed; piped text may come from any source. */
type PromptText = { text: string; typed: string };

/**
 * The prompt of `baton run`: the argument followed by piped text, or standard input alone. `warn` reports a pipe that stays
 * silent.
 */
export async function readPromptText(argument: string | undefined, warn: (message: string) => void): Promise<PromptText> {
  const isAlone = argument === "-" || (argument === undefined && !process.stdin.isTTY);
  const typed = isAlone ? "" : normalizePrompt(argument ?? "");
  const piped = isAlone ? await wholeText(process.stdin) : typed === "" ? "" : await pipedText(warn);
  const text =
    piped.trim() === "" ? typed : isAlone ? normalizePrompt(piped) : `${typed}\n\n<stdin>\n${piped.replace(/\n$/, "")}\n</stdin>`;
  if (text === "") throw usageError('There is no prompt. Give one: baton run "your task", or use - to read it from standard input.');
  return { text, typed };
}

/** Schedulers and ssh may leave a pipe open that nothing writes to. */
const FIRST_BYTE_MS = 3_000;

/** Reads piped text until its end, if its first byte arrives in time. */
async function pipedText(warn: (message: string) => void): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY || !mayBring()) return "";
  const { promise: silent, resolve } = Promise.withResolvers<"silent">();
  const timer = setTimeout(() => resolve("silent"), FIRST_BYTE_MS);
  const first = new Promise<"readable">((done) => {
    stdin.once("readable", () => done("readable"));
    stdin.once("error", () => done("readable"));
  });
  const what = await Promise.race([first, silent]);
  clearTimeout(timer);
  if (what === "readable") return wholeText(stdin);
  stdin.destroy();
  warn(
    `No input arrived within ${FIRST_BYTE_MS / 1_000} seconds, so the prompt is sent without it. For a slow command, redirect its output to a file and use < FILE. Use < /dev/null to skip the wait.`,
  );
  return "";
}

/** Whether standard input is a pipe, a socket or a file. */
function mayBring(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket() || input.isFile();
  } catch {
    return false;
  }
}
