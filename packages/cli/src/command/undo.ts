import { insist, newCommandId } from "@baton/daemon/client";
import { exact } from "@baton/core/text/clean";
import { findSession } from "./find-session.ts";
import { printJson, printLines } from "./output.ts";
import { withLink } from "./with-link.ts";

export type UndoOptions = { to?: string; conversation?: boolean; preview?: boolean; json?: boolean };

/** Takes files back to what they were, after showing which; a file that somebody else has changed since stops it. */
export async function undo(named: string, { to, conversation = false, preview = false, json = false }: UndoOptions): Promise<void> {
  await withLink(async ({ api }) => {
    const { id } = await findSession(api, named);
    const wanted = to === undefined ? {} : { promptId: to };
    const plan = await api.session.undoPlan.query({ sessionId: id, ...wanted });
    const commandId = newCommandId();
    const promptId = ofPrompt(plan.promptId ?? to);
    if (!preview)
      await insist(() => api.session.send.mutate({ sessionId: id, commandId, wish: { type: "undo", conversation, ...promptId } }));
    if (json) return printJson({ ...plan, done: !preview });
    printLines([
      preview ? "An undo would:" : "Taken back:",
      ...plan.files.map(({ path, to: then, conflict }) => {
        const does = then === null ? "remove" : "restore";
        return `  ${does} ${exact(path)}${conflict ? " – changed by somebody else since, so nothing is undone" : ""}`;
      }),
    ]);
  });
}

const ofPrompt = (promptId: string | undefined): { promptId?: string } => (promptId === undefined ? {} : { promptId });
