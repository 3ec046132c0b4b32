import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { Writable } from "node:stream";

/** Asks on stderr. Only `y` and `yes` confirm. */
export async function confirm(question: string): Promise<boolean> {
  const answer = await readLine(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}

/** Reads one line from the terminal. The question goes to stderr. */
export async function readLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const line = await lines.question(question);
  lines.close();
  return line;
}

/** Reads all of standard input, or one hidden line from a terminal. */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_, __, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await reader.question("");
  } finally {
    reader.close();
    process.stderr.write("\n");
  }
}
