import { createInterface } from "node:readline/promises";

/** Asks the person at the terminal, on stderr; only a plain yes is one. */
export async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question} [y/N] `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
