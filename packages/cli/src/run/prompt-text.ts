import { fstatSync } from "node:fs";
import { text as wholeText } from "node:stream/consumers";
import { expandSlash } from "@baton/core/text/slash-command";
import { usage } from "../connection/exit-codes.ts";

/** `typed`: the part that the person wrote on the command line; what is piped in may come from anybody. */
export type PromptText = { text: string; typed: string };

/**
 * The prompt of the command line: the argument, followed by what is piped in; or standard input alone, for `-` and without an
 * argument. `warn` hears when a pipe stays silent.
 */
export async function promptText(argument: string | undefined, warn: (message: string) => void): Promise<PromptText> {
  const isAlone = argument === "-" || (argument === undefined && !process.stdin.isTTY);
  const typed = isAlone ? "" : expandSlash(argument ?? "");
  const piped = isAlone ? await wholeText(process.stdin) : typed === "" ? "" : await pipedText(warn);
  const text = piped.trim() === "" ? typed : isAlone ? expandSlash(piped) : `${typed}\n\n<stdin>\n${piped.replace(/\n$/, "")}\n</stdin>`;
  if (text === "") throw usage('There is no prompt. Give one: baton run "what you want done", or - to read it from standard input.');
  return { text, typed };
}

/** Schedulers and ssh leave a pipe open that nobody ever writes to. */
const FIRST_BYTE_MS = 3_000;

/** What is piped in beside a prompt. Once something came, it is read to its end. */
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
    `Nothing came on standard input within ${FIRST_BYTE_MS / 1_000} seconds, so the prompt goes without it. For a slow command, write its output to a file and use < FILE; < /dev/null skips the wait.`,
  );
  return "";
}

/** Whether standard input is a pipe, a socket or a file, and not closed or a device such as /dev/null. */
function mayBring(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket() || input.isFile();
  } catch {
    return false;
  }
}
