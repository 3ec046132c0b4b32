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
    const { id } = await findSession(api, named);
    const wanted = to === undefined ? {} : { promptId: await promptNamed(api, id, to) };
    const plan = await api.session.undoPlan.query({ sessionId: id, ...wanted });
    const commandId = newCommandId();
    const { promptId } = plan;
    const wish = { type: "undo" as const, conversation, ...(promptId === undefined ? {} : { promptId }) };
    if (!preview) await insist(() => api.session.send.mutate({ sessionId: id, commandId, wish }));
    if (json) return printJson({ ...plan, done: !preview });
    printLines([
      preview ? "An undo would:" : "Taken back:",
      ...plan.files.map(({ path, to: then, conflict }) => {
        const does = then === null ? "remove" : "restore";
        return `  ${does} ${exact(path)}${conflict ? " – changed by somebody else since, so nothing is undone" : ""}`;
      }),
      ...(plan.unseen.length === 0
        ? []
        : ["What these changed besides stays as it is:", ...plan.unseen.slice(-SHOWN).map((call) => `  ${exact(call)}`)]),
    ]);
  });
}

/** The newest of them say enough. */
const SHOWN = 8;

/** A prompt of this session by its id or the beginning of it. */
async function promptNamed(api: Api, sessionId: string, named: string): Promise<string> {
  const prompts = (await allEvents(api, sessionId)).flatMap((event) => (event.type === "prompt.received" ? [{ id: event.promptId }] : []));
  return byId<{ id: string }>(named, prompts, { one: "prompt", where: `\`baton export ${sessionId}\` has them.` }).id;
}
