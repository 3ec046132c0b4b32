import { seen } from "./bench.ts";
import { cases } from "./cases.ts";

const PATIENCE_MS = 60_000;

/** The editor calls this inside its extension host. Rejects if a case failed. The process that started the editor reads its output. */
export async function run(): Promise<void> {
  let failures = 0;
  for (const [name, body] of Object.entries(cases)) {
    const began = performance.now();
    try {
      await Promise.race([body(), tooLong()]);
      console.log(`[test] ok ${name} (${Math.round(performance.now() - began)} ms)`);
    } catch (error) {
      failures++;
      console.log(`[test] FAILED ${name}: ${error instanceof Error ? error.stack : String(error)}`);
      console.log(`[test] at that time: ${await seen()}`);
    }
  }
  if (failures > 0) throw new Error(`${failures} cases failed`);
}

const tooLong = (): Promise<never> =>
  new Promise((_, fail) => void setTimeout(() => fail(new Error(`not done after ${PATIENCE_MS} ms`)), PATIENCE_MS).unref());
