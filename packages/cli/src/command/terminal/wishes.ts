import type { Delivery } from "@baton/core/protocol/event";
import type { KeptImage } from "@baton/core/protocol/image";
import type { Answer, Request } from "@baton/core/protocol/request";
import { insist, newCommandId } from "@baton/daemon/client";
import { giveAnswer } from "../give-answer.ts";
import type { Link, Wish } from "../link.ts";

/** What this client asks of the daemon. Each wish bears one id, so that over a lost connection it counts once. */
export type Wishes = {
  begin: (workspace: string, mode: string | undefined, model: string | undefined) => Promise<string>;
  prompt: (sessionId: string, said: { text: string; images: KeptImage[] }, delivery: Delivery) => Promise<void>;
  wish: (sessionId: string, wish: Wish) => Promise<void>;
  answer: (request: Request, answer: Answer) => Promise<void>;
};

export function wishesOf(link: Link): Wishes {
  const commandId = () => newCommandId();
  const wish: Wishes["wish"] = async (sessionId, what) => {
    const id = commandId();
    await insist(() => link.api.session.send.mutate({ sessionId, commandId: id, wish: what }));
  };
  return {
    wish,
    begin: async (workspace, mode, model) => {
      const id = commandId();
      const begun = await insist(() =>
        link.api.session.create.mutate({
          askTrust: true,
          commandId: id,
          workspace,
          ...(mode === undefined ? {} : { mode }),
          ...(model === undefined ? {} : { model }),
        }),
      );
      if (begun.id === undefined) throw new Error("the daemon began a session without an id");
      return begun.id;
    },
    prompt: (sessionId, { text, images }, delivery) =>
      wish(sessionId, { type: "prompt", promptId: newCommandId(), text, delivery, ...(images.length === 0 ? {} : { images }) }),
    answer: (request, answer) => giveAnswer(link.api, request, answer),
  };
}
