import type { QueuedPrompt } from "@baton/core/session/state";
import { useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useSession, useSessionSnapshot } from "../../store/session/session-context.ts";
import { attachmentSummary } from "@baton/core/text/attachment-text";
import { oneLine } from "@baton/core/text/sanitize";
import { Icon } from "../icon.tsx";

/** Queued prompts. The user can edit, steer or withdraw them. */
export function PromptQueue() {
  const queue = useSessionSnapshot(({ state }) => state.queue);
  const held = useSessionSnapshot(({ state }) => state.held);
  const { commands, tell } = useApp();
  const { id } = useSession();
  const connected = useConnected();
  if (queue.length === 0) return undefined;
  return (
    <div className="queue" role="group" aria-label="Queued prompts">
      {queue.map((prompt) => (
        <Queued key={prompt.promptId} prompt={prompt} />
      ))}
      {held ? (
        <div className="queued">
          <Icon name="debug-pause" small />
          <span>Held because the turn was stopped.</span>
          <button
            type="button"
            className="btn quiet small r"
            disabled={!connected}
            onClick={() => void commands.send(id, { type: "resume" }).catch(tell)}
          >
            Send now
          </button>
        </div>
      ) : undefined}
    </div>
  );
}

function Queued({ prompt: { promptId, text, delivery, synthetic, images = [] } }: { prompt: QueuedPrompt }) {
  const { commands, drafts, imageStore, tell } = useApp();
  const { id } = useSession();
  const connected = useConnected();
  const [edited, setEdited] = useState<string>();
  const save = () => {
    if (edited !== undefined && edited.trim() !== "" && edited !== text)
      void commands.send(id, { type: "editPrompt", promptId, text: edited }).catch(tell);
    setEdited(undefined);
  };
  const steer = async () => {
    await commands.send(id, { type: "withdrawPrompt", promptId });
    await commands.prompt(id, { text, images }, "steer");
  };
  const takeBack = async () => {
    await commands.send(id, { type: "withdrawPrompt", promptId });
    imageStore.put(id, images);
    const draft = drafts.of(id);
    draft.set(draft.get().trim() === "" ? text : `${text}\n\n${draft.get()}`);
  };
  return (
    <div className="queued">
      <Icon name="list-flat" small />
      <b className="strong">{delivery === "steer" ? "Sent next" : "Queued"}</b>
      {edited === undefined ? (
        <span className="cut">{oneLine(text) || attachmentSummary(images)}</span>
      ) : (
        <textarea
          className="field"
          aria-label="Queued prompt"
          autoFocus
          rows={1}
          value={edited}
          onChange={(event) => setEdited(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === "Escape") setEdited(undefined);
            if (event.key !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            save();
          }}
        />
      )}
      {synthetic !== undefined || edited !== undefined ? undefined : (
        <span className="row r">
          {delivery === "steer" ? undefined : (
            <button type="button" className="btn quiet small" disabled={!connected} onClick={() => void steer().catch(tell)}>
              Steer now
            </button>
          )}
          <button
            type="button"
            className="btn quiet small icon"
            aria-label="Edit this prompt"
            title="Edit"
            disabled={!connected}
            onClick={() => setEdited(text)}
          >
            <Icon name="edit" small />
          </button>
          <button
            type="button"
            className="btn quiet small icon"
            aria-label="Take this prompt back"
            title="Take back"
            disabled={!connected}
            onClick={() => void takeBack().catch(tell)}
          >
            <Icon name="discard" small />
          </button>
        </span>
      )}
    </div>
  );
}
