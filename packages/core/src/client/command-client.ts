import { omitUndefined } from "../text/omit-undefined.ts";
import type { SessionCommand } from "../protocol/command.ts";
import type { PromptDelivery, AdditionalRoot } from "../protocol/event.ts";
import type { AttachmentRef } from "../protocol/attachment-ref.ts";
import type { RequestAnswer, Request } from "../protocol/request.ts";
import { isRecord } from "../text/json.ts";
import { retryLink, type TRPCLink, TRPCClientError } from "@trpc/client";
import type { AnyRouter } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { isConnectionLost } from "./rpc-errors.ts";
import type { Refusal } from "../protocol/refusal.ts";

/** The commands of clients. `commandLinks` gives each an id and resends it after a lost connection. */
export type CommandApi = {
  session: {
    create: {
      mutate: (input: {
        workspace: string;
        mode?: string;
        model?: string;
        askTrust?: boolean;
        roots?: AdditionalRoot[];
      }) => Promise<{ id: string }>;
    };
    send: { mutate: (input: { sessionId: string; wish: SessionCommand }) => Promise<unknown> };
  };
  request: { answer: { mutate: (input: { requestId: Request["id"]; answer: RequestAnswer }) => Promise<unknown> } };
  workspace: { trust: { mutate: (input: { cwd: string; trusted: boolean }) => Promise<unknown> } };
  permission: { revoke: { mutate: (input: { cwd: string; grantId: string }) => Promise<unknown> } };
};

export type PromptText = { text: string; images?: readonly AttachmentRef[] };

/** Each function rejects with the daemon's refusal (`refusalOf`) if the command does not fit the current state. */
export type Commands = {
  /** Creates a session and returns its id. The daemon asks whether to trust the folder unless the user has already decided. */
  start: (workspace: string, mode: string | undefined, model: string | undefined, roots?: readonly AdditionalRoot[]) => Promise<string>;
  prompt: (sessionId: string, prompt: PromptText, delivery: PromptDelivery) => Promise<void>;
  send: (sessionId: string, command: SessionCommand) => Promise<void>;
  /** Answers a request exactly as the client showed it. The daemon rejects the answer if the request has changed. */
  answer: (request: Pick<Request, "id" | "hash">, answer: RequestAnswer) => Promise<void>;
  trust: (folder: string, trusted: boolean) => Promise<void>;
  revokeGrant: (folder: string, grantId: string) => Promise<void>;
};

export function createCommands(api: CommandApi): Commands {
  const send: Commands["send"] = async (sessionId, command) => {
    await api.session.send.mutate({ sessionId, wish: command });
  };
  return {
    send,
    start: async (workspace, mode, model, roots = []) => {
      const more = { ...omitUndefined({ mode, model }), ...(roots.length === 0 ? {} : { roots: [...roots] }) };
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
  answer: RequestAnswer,
): Promise<void> {
  await api.request.answer.mutate({ requestId: id, answer: hash === undefined ? answer : { ...answer, hash } });
}

function promptCommand({ text, images = [] }: PromptText, delivery: PromptDelivery): SessionCommand {
  return { type: "prompt", promptId: newCommandId(), text, delivery, ...(images.length === 0 ? {} : { images: [...images] }) };
}

const RETRY_DELAY_MS = 50;

/** Creates an idempotency key. The daemon executes commands with the same id once. */
export const newCommandId = (): string => crypto.randomUUID();

/** The context of a call that must not be sent twice, because its effects would add up. */
export const SEND_ONCE = { context: { sendOnce: true } };

/**
 * The links of every client, in front of its transport. They reject messages that are too large, add a command id to each command, and
 * resend a command with the same id if the connection was lost, so that it takes effect once.
 */
export const commandLinks = <Router extends AnyRouter>(): TRPCLink<Router>[] => [
  messageSizeLink,
  commandIdLink,
  retryLink<Router>({
    retry: ({ op, error }) =>
      op.type === "mutation" && op.context["sendOnce"] !== true && hasCommandId(op.input) && isConnectionLost(error),
    retryDelayMs: () => RETRY_DELAY_MS,
  }),
];

const commandIdLink: TRPCLink<AnyRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => next(op.type === "mutation" ? { ...op, input: withCommandId(op.input) } : op).subscribe(observer));

const withCommandId = (input: unknown): unknown =>
  isRecord(input) && !hasCommandId(input) ? { ...input, commandId: newCommandId() } : input;

const hasCommandId = (input: unknown): boolean => isRecord(input) && input["commandId"] !== undefined;

/** The daemon closes a connection that sends more than one megabyte in a message. The rest is for the envelope of an input. */
const MAX_BYTES = 1024 * 1024 - 4_096;

/** Rejects an input that is too large for the daemon. Otherwise the client would resend it forever. */
const messageSizeLink: TRPCLink<AnyRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      if (fits(op.input)) return next(op).subscribe(observer);
      observer.error(TRPCClientError.from(tooLarge()));
      return undefined;
    });

function fits(input: unknown): boolean {
  const text = JSON.stringify(input) ?? "";
  return text.length * 3 <= MAX_BYTES || byteLength(text) <= MAX_BYTES;
}

/** The length of a text in bytes of UTF-8. */
function byteLength(text: string): number {
  let bytes = text.length;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code > 0x7ff) bytes += 2;
    else if (code > 0x7f) bytes += 1;
  }
  return bytes;
}

/** Has the shape of an answer of the daemon, so that no link mistakes it for a lost message. */
function tooLarge() {
  const message =
    "The message is larger than 1 MB, the maximum that Baton sends to the daemon at once. Put long text into a file and name the file.";
  const refusal: Refusal = { code: "too_large", message };
  const data = { code: "PAYLOAD_TOO_LARGE" as const, httpStatus: 413, stack: undefined, refusal };
  return { error: { code: -32_013 as const, message, data } };
}
