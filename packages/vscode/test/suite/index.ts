import { seen } from "./bench.ts";
import { cases } from "./cases.ts";

const PATIENCE_MS = 60_000;

/** Called by the editor inside its extension host. Rejects when a case failed; what it prints is read by who started the editor. */
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
