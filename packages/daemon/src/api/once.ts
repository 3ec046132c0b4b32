import type { Context } from "./context.ts";

/** Where the answers to wishes lie that change files and no session. */
const STREAM = "files";

const underWay = new Map<string, Promise<unknown>>();

/** Does what a command wants once: a client that sends it again gets the first answer, refusals included. */
export async function once<T>({ parts: { log, clock } }: Pick<Context, "parts">, commandId: string, work: () => Promise<T>): Promise<T> {
  const running = underWay.get(commandId);
  if (running) return running as Promise<T>; // one command, one kind of answer
  const doing = (async () => {
    const before = await log.receipt(STREAM, commandId);
    if (before !== undefined) return before as T; // written by us below
    const answer = await work();
    await log.append({ streamId: STREAM, after: 0, events: [], at: clock.now(), receipt: { commandId, answer } });
    return answer;
  })();
  underWay.set(commandId, doing);
  try {
    return await doing;
  } finally {
    underWay.delete(commandId);
  }
}
