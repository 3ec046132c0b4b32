import { parseSlash } from "@baton/core/text/slash-command";
import type { AgentContext, PromptResponse, SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { Logged, EventOf } from "@baton/core/protocol/event";
import { empty, type SessionState } from "@baton/core/session/state";
import { newCommandId } from "@baton/core/client/command-links";
import { errorMessage, refusalOf } from "@baton/core/client/errors";
import { followState } from "@baton/core/client/follow-state";
import { reduce } from "@baton/core/session/reduce";
import type { InboxItem } from "@baton/core/protocol/request";
import type { SessionCommand } from "@baton/core/protocol/command";
import type { Api } from "../connection/daemon-connection.ts";
import { requestBridge } from "./request-bridge.ts";
import { sessionUpdates } from "./session-updates.ts";
import { sessionOptions, type SessionOptions } from "./session-config-options.ts";
import type { PromptParts } from "./prompt.ts";
import { pendingPrompts } from "./pending-prompts.ts";
import type { KeptImage } from "@baton/core/protocol/image";
import { readBlob } from "@baton/core/client/blobs";
import { resultContent } from "./content.ts";

/** What a client said that it can do. */
export type Abilities = { forms: boolean; compaction: boolean };

export type Attachment = {
  id: string;
  /** When all of what is told before has been told. */
  loaded: Promise<unknown>;
  state: () => SessionState;
  offer: () => Promise<SessionOptions>;
  /** Sends a prompt, and waits until its turn has ended. */
  prompt: (said: PromptParts) => Promise<PromptResponse>;
  cancel: () => Promise<void>;
  send: (wish: SessionCommand) => Promise<void>;
  /** The open requests of this session and of its children, each time that they change. */
  requests: (items: readonly InboxItem[]) => void;
  /** Ends what waits, where nothing will come any more. */
  fail: (message: string) => void;
  detach: () => void;
};

export type AttachOptions = {
  api: Api;
  client: AgentContext;
  abilities: Abilities;
  id: string;
  /** The session at `after`, a seq; what comes later is told. */
  state: SessionState;
  after: number;
  /** What is told before that: a conversation that is loaded. */
  earlier?: readonly Logged[];
};

/** A session on the screen of one client: told as it goes on, its requests asked, its prompts waited for. */
export function attach({ api, client, abilities, id, state, after, earlier = [] }: AttachOptions): Attachment {
  const own = new Set<string>();
  const narrator = sessionUpdates({ isOwn: (promptId) => own.has(promptId), compaction: abilities.compaction });
  const turns = pendingPrompts(id);
  const asking = requestBridge({ api, client, sessionId: id, forms: abilities.forms, onTyping: () => turns.pause() });
  const offer = () => sessionOptions(api, followed.state);

  const tell = (updates: readonly SessionUpdate[]) => {
    for (const update of updates) client.notify("session/update", { sessionId: id, update }).catch(() => undefined); // it is gone
  };
  const show = async (event: Logged) => {
    if (event.type !== "tool.finished" || !event.result.images) return;
    const update = await resultImages(event, state.workspace, api);
    if (update) tell([update]);
  };
  const take = (event: Logged, before: SessionState, after: SessionState) => {
    tell(narrator.event(event, before, after));
    show(event).catch(() => undefined); // its text has been told
  };
  const offerAgain = (events: readonly Logged[]) => {
    if (events.some(({ type }) => type === "mode.changed" || type === "model.chosen"))
      offer().then(
        ({ configOptions }) => tell([{ sessionUpdate: "config_option_update", configOptions }]),
        () => undefined, // what can be chosen is told again with the next answer
      );
  };
  const send = async (wish: SessionCommand) => {
    await api.session.send.mutate({ sessionId: id, wish });
  };

  let replayed = empty;
  for (const event of earlier) {
    const before = replayed;
    replayed = reduce(before, event);
    tell(narrator.event(event, before, replayed));
  }
  const loaded = Promise.all(earlier.map(show));
  const followed = followState(
    api,
    id,
    { state, seq: after },
    {
      onEvent: take,
      onBatch: (events, frames) => {
        for (const frame of frames) tell(narrator.frame(frame));
        offerAgain(events);
        turns.take(events);
      },
      onRewound: () => narrator.reset(),
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
      if (await asking.answerTyped(text)) return turns.again();
      const promptId = newCommandId();
      own.add(promptId);
      const ended = turns.wait(promptId);
      ended.catch(() => undefined); // it may have failed before the prompt has its answer; it is waited for below
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
    requests: (items) => asking.show(items),
    fail: (message) => turns.fail(message),
    detach() {
      followed.close();
      asking.close();
      turns.fail("The session was closed.");
    },
  };
}

/** What `/coordinate why` asks of the session; undefined for every other prompt. */
function coordinateCommand(text: string): { reason?: string } | undefined {
  const slash = parseSlash(text.trim());
  if (slash?.name !== "coordinate") return undefined;
  return slash.args.trim() === "" ? {} : { reason: slash.args.trim() };
}

/** The pictures that a call brought, after what it said. A PDF and a picture that is not kept any more are left out. */
async function resultImages({ callId, result }: EventOf<"tool.finished">, workspace: string, api: Api): Promise<SessionUpdate | undefined> {
  const read = await Promise.all((result.images ?? []).filter(isPicture).map((image) => contentOfImage(image, api)));
  const pictures = read.filter((each) => each !== undefined);
  if (pictures.length === 0) return undefined;
  return { sessionUpdate: "tool_call_update", toolCallId: callId, content: [...resultContent(result, workspace), ...pictures] };
}

const isPicture = ({ mediaType }: KeptImage): boolean => mediaType.startsWith("image/");

async function contentOfImage({ blob: hash, mediaType }: KeptImage, api: Api): Promise<ToolCallContent | undefined> {
  const bytes = await readBlob(api, hash).catch(() => undefined);
  return bytes && { type: "content", content: { type: "image", mimeType: mediaType, data: Buffer.concat(bytes).toString("base64") } };
}
