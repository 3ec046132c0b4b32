import { insist, newCommandId } from "@baton/daemon/insist";
import type { KeptImage } from "@baton/core/protocol/image";
import type { Delivery } from "@baton/core/protocol/event";
import type { Answer, Request } from "@baton/core/protocol/request";
import type { Api } from "./link.ts";

/** A wish of a session, as it goes out. */
export type Wish = Parameters<Api["session"]["send"]["mutate"]>[0]["wish"];

/** What this client asks of the daemon. Each wish bears one id, so that over a lost connection it counts once. */
export type Wishes = {
  begin: (workspace: string, mode: string | undefined, model: string | undefined) => Promise<string>;
  prompt: (sessionId: string, said: { text: string; images?: readonly KeptImage[] }, delivery: Delivery) => Promise<void>;
  wish: (sessionId: string, wish: Wish) => Promise<void>;
  trust: (folder: string, trusted: boolean) => Promise<void>;
  /** Takes back what was remembered for a folder or for all. */
  revoke: (folder: string, grantId: string) => Promise<void>;
  answer: (request: Pick<Request, "id" | "hash">, answer: Answer) => Promise<void>;
};

export function wishesOf(api: Api): Wishes {
  const wish: Wishes["wish"] = async (sessionId, what) => {
    const commandId = newCommandId();
    await insist(() => api.session.send.mutate({ sessionId, commandId, wish: what }));
  };
  return {
    wish,
    begin: async (workspace, mode, model) => {
      const commandId = newCommandId();
      const begun = await insist(() =>
        api.session.create.mutate({
          commandId,
          workspace,
          askTrust: true,
          ...(mode === undefined ? {} : { mode }),
          ...(model === undefined ? {} : { model }),
        }),
      );
      return begun.id;
    },
    prompt: (sessionId, { text, images = [] }, delivery) =>
      wish(sessionId, {
        type: "prompt",
        promptId: newCommandId(),
        text,
        delivery,
        ...(images.length === 0 ? {} : { images: [...images] }),
      }),
    trust: async (folder, trusted) => {
      const commandId = newCommandId();
      await insist(() => api.workspace.trust.mutate({ commandId, cwd: folder, trusted }));
    },
    revoke: async (folder, grantId) => {
      const commandId = newCommandId();
      await insist(() => api.permission.revoke.mutate({ commandId, cwd: folder, grantId }));
    },
    answer: async ({ id, hash }, answer) => {
      const commandId = newCommandId();
      await insist(() =>
        api.request.answer.mutate({ commandId, requestId: id, answer: hash === undefined ? answer : { ...answer, hash } }),
      );
    },
  };
}
