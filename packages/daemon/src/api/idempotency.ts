import { SESSIONLESS_STREAM } from "@baton/core/protocol/ids";
import type { ApiContext } from "./api-context.ts";

const underWay = new Map<string, Promise<unknown>>();

/** `storesAnswer`: the work stores the answer itself, in the same batch as its effect. */
type Once = { storesAnswer?: boolean };

/**
 * Runs a command once. A client that sends it again gets the first answer. Errors are not stored, so the command runs again
 * after one. After a crash between the work and the storing of its answer, it also runs again.
 */
export async function runOnce<T>(
  {
    services: {
      store: { log },
      clock,
    },
    commandId,
  }: Pick<ApiContext, "services"> & { commandId: string },
  work: () => Promise<T>,
  { storesAnswer = false }: Once = {},
): Promise<T> {
  const running = underWay.get(commandId);
  if (running) return running as Promise<T>; // one command has one type of answer
  const doing = (async () => {
    const before = await log.receipt(SESSIONLESS_STREAM, commandId);
    if (before !== undefined) return before as T; // written below
    const answer = await work();
    if (!storesAnswer)
      await log.append({ streamId: SESSIONLESS_STREAM, after: 0, events: [], at: clock.now(), receipt: { commandId, answer } });
    return answer;
  })();
  underWay.set(commandId, doing);
  try {
    return await doing;
  } finally {
    underWay.delete(commandId);
  }
}

/** Makes a resolver idempotent: the command takes effect once, however often a client sends it. */
export const idempotent =
  <Call extends { ctx: Pick<ApiContext, "services"> & { commandId: string } }, T>(resolve: (call: Call) => Promise<T>, once: Once = {}) =>
  (call: Call): Promise<T> =>
    runOnce(call.ctx, () => resolve(call), once);
