import { defined } from "../text/defined.ts";
import type { SessionCommand } from "../protocol/command.ts";
import type { Delivery, Root } from "../protocol/event.ts";
import type { KeptImage } from "../protocol/image.ts";
import type { Answer, Request } from "../protocol/request.ts";
import { newCommandId } from "./command-links.ts";

/** The commands of clients. `commandLinks` gives each an id and resends it after a lost connection. */
export type CommandApi = {
  session: {
    create: {
      mutate: (input: { workspace: string; mode?: string; model?: string; askTrust?: boolean; roots?: Root[] }) => Promise<{ id: string }>;
    };
    send: { mutate: (input: { sessionId: string; wish: SessionCommand }) => Promise<unknown> };
  };
  request: { answer: { mutate: (input: { requestId: Request["id"]; answer: Answer }) => Promise<unknown> } };
  workspace: { trust: { mutate: (input: { cwd: string; trusted: boolean }) => Promise<unknown> } };
  permission: { revoke: { mutate: (input: { cwd: string; grantId: string }) => Promise<unknown> } };
};

export type PromptText = { text: string; images?: readonly KeptImage[] };

/** Each function rejects with the daemon's refusal (`refusalOf`) if the command does not fit the current state. */
export type Commands = {
  /** Creates a session and returns its id. The daemon asks whether to trust the folder unless the user has already decided. */
  start: (workspace: string, mode: string | undefined, model: string | undefined, roots?: readonly Root[]) => Promise<string>;
  prompt: (sessionId: string, prompt: PromptText, delivery: Delivery) => Promise<void>;
  send: (sessionId: string, command: SessionCommand) => Promise<void>;
  /** Answers a request exactly as the client showed it. The daemon rejects the answer if the request has changed. */
  answer: (request: Pick<Request, "id" | "hash">, answer: Answer) => Promise<void>;
  trust: (folder: string, trusted: boolean) => Promise<void>;
  revokeGrant: (folder: string, grantId: string) => Promise<void>;
};

export function commandsFor(api: CommandApi): Commands {
  const send: Commands["send"] = async (sessionId, command) => {
    await api.session.send.mutate({ sessionId, wish: command });
  };
  return {
    send,
    start: async (workspace, mode, model, roots = []) => {
      const more = { ...defined({ mode, model }), ...(roots.length === 0 ? {} : { roots: [...roots] }) };
      const { id } = await api.session.create.mutate({ workspace, askTrust: true, ...more });
      return id;
    },
    prompt: (sessionId, prompt, delivery) => send(sessionId, promptCommand(prompt, delivery)),
    answer: (request, answer) => answerRequest(api, request, answer),
    trust: async (folder, trusted) => {
      await api.workspace.trust.mutate({ cwd: folder, trusted });
    },
    revokeGrant: async (folder, grantId) => {
      await api.permission.revoke.mutate({ cwd: folder, grantId });
    },
  };
}

export async function answerRequest(
  api: Pick<CommandApi, "request">,
  { id, hash }: Pick<Request, "id" | "hash">,
  answer: Answer,
): Promise<void> {
  await api.request.answer.mutate({ requestId: id, answer: hash === undefined ? answer : { ...answer, hash } });
}

function promptCommand({ text, images = [] }: PromptText, delivery: Delivery): SessionCommand {
  return { type: "prompt", promptId: newCommandId(), text, delivery, ...(images.length === 0 ? {} : { images: [...images] }) };
}
