import { allEvents, insist, newCommandId } from "@baton/daemon/client";
import { exact } from "@baton/core/text/clean";
import { byId } from "./by-id.ts";
import { findSession } from "./find-session.ts";
import type { Api } from "./link.ts";
import { printJson, printLines } from "./output.ts";
import { withLink } from "./with-link.ts";

export type UndoOptions = { to?: string; conversation?: boolean; preview?: boolean; json?: boolean };

/** Takes files back to what they were, after showing which; a file that somebody else has changed since stops it. */
export async function undo(named: string, { to, conversation = false, preview = false, json = false }: UndoOptions): Promise<void> {
  await withLink(async ({ api }) => {
    const { id, seq } = await findSession(api, named);
    const wanted = to === undefined ? {} : { promptId: await promptNamed(api, id, to) };
    const plan = await api.session.undoPlan.query({ sessionId: id, ...wanted });
    const commandId = newCommandId();
    const { promptId } = plan;
    const wish = { type: "undo" as const, conversation, ...(promptId === undefined ? {} : { promptId }) };
    const done = preview
      ? undefined
      : await undone(api, { id, seq }, () => insist(() => api.session.send.mutate({ sessionId: id, commandId, wish })));
    if (json) return printJson({ ...plan, done: !preview, ...(done && done.left.length > 0 ? { left: done.left } : {}) });
    printLines([
      preview ? "An undo would:" : "Taken back:",
      ...plan.files.map(({ path, to: then, conflict }) => {
        const does = then === null ? "remove" : "restore";
        return `  ${does} ${exact(path)}${conflict ? " – changed by somebody else since, so nothing is undone" : ""}`;
      }),
      ...(done?.left ?? []).map(({ path, why }) => `  ${exact(path)} is left as it is: ${exact(why)}`),
      ...(plan.unseen.length === 0
        ? []
        : ["What these changed besides stays as it is:", ...plan.unseen.slice(-SHOWN).map((call) => `  ${exact(call)}`)]),
    ]);
  });
}

type Undone = { left: readonly { path: string; why: string }[] };

/** Has it begun, and waits until the files are what they were; gives those that could not be. */
async function undone(api: Api, { id, seq }: { id: string; seq: number }, begin: () => Promise<unknown>): Promise<Undone> {
  const { promise, resolve, reject } = Promise.withResolvers<Undone>();
  const following = api.session.follow.subscribe(
    { sessionId: id, after: seq },
    {
      onData: ({ data }) => data.events.forEach((event) => event.type === "undo.finished" && resolve(event)),
      onError: reject,
    },
  );
  try {
    const [, finished] = await Promise.all([begin(), promise]);
    return finished;
  } finally {
    following.unsubscribe();
  }
}

/** The newest of them say enough. */
const SHOWN = 8;

/** A prompt of this session by its id or the beginning of it. */
async function promptNamed(api: Api, sessionId: string, named: string): Promise<string> {
  const prompts = (await allEvents(api, sessionId)).flatMap((event) => (event.type === "prompt.received" ? [{ id: event.promptId }] : []));
  return byId<{ id: string }>(named, prompts, { one: "prompt", where: `\`baton export ${sessionId}\` has them.` }).id;
}
