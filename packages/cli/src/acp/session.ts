import { parseSlash } from "@baton/core/text/slash-command";
import type { AgentContext, PromptResponse, SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { LoggedEvent, EventOf } from "@baton/core/protocol/event";
import { emptyState, type SessionState } from "@baton/core/session/state";
import { newCommandId } from "@baton/core/client/command-client";
import { errorMessage, refusalOf } from "@baton/core/client/rpc-errors";
import { followState } from "@baton/core/client/follow-session-state";
import { reduceSession } from "@baton/core/session/reduce";
import type { InboxItem } from "@baton/core/protocol/request";
import type { SessionCommand } from "@baton/core/protocol/command";
import type { Api } from "../connection/daemon-connection.ts";
import { forwardRequests } from "./forward-requests.ts";
import { sessionUpdates } from "./session-updates.ts";
import { sessionOptions, type SessionOptions } from "./session-config-options.ts";
import type { PromptParts } from "./parse-prompt.ts";
import { pendingPrompts } from "./pending-prompts.ts";
import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { readBlob } from "@baton/core/client/blob-transfer";
import { resultContent } from "./tool-call-content.ts";

/** The capabilities of a client. */
export type AcpClientCapabilities = { forms: boolean; compaction: boolean };

export type Attachment = {
  id: string;
  /** Resolves when the client has received the replayed events. */
  loaded: Promise<unknown>;
  state: () => SessionState;
  offer: () => Promise<SessionOptions>;
  /** Sends a prompt and waits until its turn has ended. */
  prompt: (parts: PromptParts) => Promise<PromptResponse>;
  cancel: () => Promise<void>;
  send: (command: SessionCommand) => Promise<void>;
  /** Takes the open requests of this session and its subtasks, each time they change. */
  requests: (items: readonly InboxItem[]) => void;
  /** Fails pending prompts after the connection is lost for good. */
  fail: (message: string) => void;
  detach: () => void;
};

type AttachOptions = {
  api: Api;
  client: AgentContext;
  abilities: AcpClientCapabilities;
  id: string;
  /** The state of the session after the event `after`. Later events are sent to the client. */
  state: SessionState;
  after: number;
  /** Events to replay before that, for a session that is loaded. */
  earlier?: readonly LoggedEvent[];
};

/** Connects one session to one client: sends updates, asks requests and waits for prompts. */
export function attachAcpSession({ api, client, abilities, id, state, after, earlier = [] }: AttachOptions): Attachment {
  const own = new Set<string>();
  const narrator = sessionUpdates({ isOwn: (promptId) => own.has(promptId), compaction: abilities.compaction });
  const turns = pendingPrompts(id);
  const bridge = forwardRequests({ api, client, sessionId: id, forms: abilities.forms, onTyping: () => turns.pause() });
  const offer = () => sessionOptions(api, followed.state);

  const sendUpdates = (updates: readonly SessionUpdate[]) => {
    for (const update of updates) client.notify("session/update", { sessionId: id, update }).catch(() => undefined); // the client is gone
  };
  const show = async (event: LoggedEvent) => {
    if (event.type !== "tool.finished" || !event.result.images) return;
    const update = await resultImages(event, state.workspace, api);
    if (update) sendUpdates([update]);
  };
  const take = (event: LoggedEvent, before: SessionState, after: SessionState) => {
    sendUpdates(narrator.event(event, before, after));
    show(event).catch(() => undefined); // the text of the result was sent already
  };
  const offerAgain = (events: readonly LoggedEvent[]) => {
    if (events.some(({ type }) => type === "mode.changed" || type === "model.chosen"))
      offer().then(
        ({ configOptions }) => sendUpdates([{ sessionUpdate: "config_option_update", configOptions }]),
        () => undefined, // the next answer lists the options again
      );
  };
  const send = async (command: SessionCommand) => {
    await api.session.send.mutate({ sessionId: id, wish: command });
  };

  let replayed = emptyState;
  for (const event of earlier) {
    const before = replayed;
    replayed = reduceSession(before, event);
    sendUpdates(narrator.event(event, before, replayed));
  }
  const loaded = Promise.all(earlier.map(show));
  const followed = followState(
    api,
    id,
    { state, seq: after },
    {
      onEvent: take,
      onBatch: (events, frames) => {
        for (const frame of frames) sendUpdates(narrator.frame(frame));
        offerAgain(events);
        turns.take(events);
      },
      onRewound: ({ seq }) => {
        narrator.reset();
        sendUpdates(narrator.notice("The session was taken back to an earlier prompt. The messages after it no longer count.", seq));
      },
      onRestored: () => {
        narrator.reset();
        turns.fail("The store was restored to an earlier time. Send the prompt again.");
      },
      onError: (error) => turns.fail(errorMessage(error)),
    },
  );

  return {
    id,
    loaded,
    state: () => followed.state,
    offer,
    send,
    async prompt({ text, images }) {
      if (await bridge.answerTyped(text)) return turns.again();
      const promptId = newCommandId();
      own.add(promptId);
      const ended = turns.wait(promptId);
      ended.catch(() => undefined); // handled below; the turn may fail before the prompt is sent
      try {
        const coordinated = coordinateCommand(text);
        if (coordinated) await send({ type: "coordinate", promptId, ...coordinated });
        else await send({ type: "prompt", promptId, text, delivery: "queue", ...(images.length === 0 ? {} : { images }) });
      } catch (error) {
        turns.drop(promptId);
        throw error;
      }
      return ended;
    },
    async cancel() {
      turns.cancel();
      await send({ type: "interrupt" }).catch((error: unknown) => {
        if (refusalOf(error)?.code !== "nothing_running") throw error;
      });
    },
    requests: (items) => bridge.show(items),
    fail: (message) => turns.fail(message),
    detach() {
      followed.close();
      bridge.close();
      turns.fail("The session was closed.");
    },
  };
}

/** Parses `/coordinate reason`. Undefined for every other prompt. */
function coordinateCommand(text: string): { reason?: string } | undefined {
  const slash = parseSlash(text.trim());
  if (slash?.name !== "coordinate") return undefined;
  return slash.args.trim() === "" ? {} : { reason: slash.args.trim() };
}

/** The images of a result, after its text. PDFs and images that the daemon no longer has are left out. */
async function resultImages({ callId, result }: EventOf<"tool.finished">, workspace: string, api: Api): Promise<SessionUpdate | undefined> {
  const read = await Promise.all((result.images ?? []).filter(isImage).map((image) => contentOfImage(image, api)));
  const images = read.filter((each) => each !== undefined);
  if (images.length === 0) return undefined;
  return { sessionUpdate: "tool_call_update", toolCallId: callId, content: [...resultContent(result, workspace), ...images] };
}

const isImage = ({ mediaType }: AttachmentRef): boolean => mediaType.startsWith("image/");

async function contentOfImage({ blob: hash, mediaType }: AttachmentRef, api: Api): Promise<ToolCallContent | undefined> {
  const bytes = await readBlob(api, hash).catch(() => undefined);
  return bytes && { type: "content", content: { type: "image", mimeType: mediaType, data: Buffer.concat(bytes).toString("base64") } };
}
