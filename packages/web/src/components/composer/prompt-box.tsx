import { userSelectable } from "@baton/core/mode/user-selectable";
import type { PromptDelivery, AdditionalRoot } from "@baton/core/protocol/event";
import { useId, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { useApp, useConnected, useObservableValue } from "../../store/app-context.ts";
import { useModes } from "../../store/folder-context.ts";
import { AttachButton, Attachments, useDrop } from "./attachments.tsx";
import { KeyCap } from "../icon.tsx";
import { ModeMenu } from "./mode-menu.tsx";
import { useModeStyle } from "./mode-name.tsx";
import { ModelMenu } from "./model-menu.tsx";
import { useCompletions, type ComposerCommand } from "./use-completions.tsx";
import { useSendPrompt, type SentPrompt } from "./use-send-prompt.ts";

type Props = {
  /** The key of the draft: the id of the session, or `new`. */
  draftKey: string;
  /** The folder for file completion. */
  cwd: string | undefined;
  /** The other folders of the session, for file completion. */
  roots?: readonly AdditionalRoot[];
  mode: string;
  model: string | undefined;
  busy: boolean;
  commands: readonly ComposerCommand[];
  placeholder: string;
  facts?: ReactNode;
  onSend: (prompt: SentPrompt, delivery: PromptDelivery) => Promise<void>;
  onMode: (mode: string) => void;
  onCoordinate?: () => void;
  onModel: (model: string) => void;
  onStop?: () => void;
  onEscape?: () => void;
  box: RefObject<HTMLTextAreaElement | null>;
};

/** The prompt box, with mode and model. During a turn a prompt is queued or steers. */
export function PromptBox(props: Props) {
  const { draftKey, mode, model, busy, placeholder, facts, onMode, onModel, onStop, onEscape, box } = props;
  const { drafts, notice } = useApp();
  const draft = drafts.of(draftKey);
  const text = useObservableValue(draft);
  const connected = useConnected();
  const modes = useModes().filter(userSelectable);
  const { colorClassName } = useModeStyle(mode);
  const { send, empty, sending, isUploading } = useSendPrompt(props);
  const suggestions = useCompletions(props, text);
  const { over, ...drop } = useDrop(draftKey);
  const id = useId();

  /** Closes the notice about the previous choice. */
  const withoutNotice = (choose: (choice: string) => void) => (choice: string) => {
    notice.set(undefined);
    choose(choice);
  };

  const key = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || suggestions.key(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey) {
      event.preventDefault();
      send(event.altKey ? "steer" : "queue");
    } else if (event.key === "Tab" && event.shiftKey) {
      event.preventDefault();
      const at = modes.findIndex(({ slug }) => slug === mode);
      const next = modes[(at + 1) % modes.length];
      if (next) onMode(next.slug);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      onEscape?.();
    }
  };

  return (
    <form
      className={`box ${colorClassName}${over ? " over" : ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        send("queue");
      }}
      {...drop}
    >
      <label className="vh" htmlFor={id}>
        Prompt
      </label>
      {suggestions.list}
      <Attachments draftKey={draftKey} />
      <textarea
        id={id}
        ref={box}
        dir="auto"
        rows={1}
        placeholder={placeholder}
        value={text}
        aria-autocomplete="list"
        aria-controls={suggestions.list ? suggestions.id : undefined}
        aria-activedescendant={suggestions.list ? suggestions.active : undefined}
        onChange={(event) => {
          draft.set(event.target.value);
          suggestions.look();
        }}
        onSelect={suggestions.look}
        onBlur={suggestions.close}
        onKeyDown={key}
      />
      <div className="tools">
        <ModeMenu mode={mode} onMode={withoutNotice(onMode)} onCoordinate={props.onCoordinate} />
        <ModelMenu model={model} onModel={withoutNotice(onModel)} />
        {facts}
        <span className="grow" />
        <AttachButton draftKey={draftKey} />
        {busy ? (
          <button
            type="button"
            className="btn quiet wide-only"
            disabled={!connected || empty || isUploading}
            title="Sends after the calls that are open now (Alt+Enter)"
            onClick={() => send("steer")}
          >
            Steer <KeyCap>⌥↵</KeyCap>
          </button>
        ) : undefined}
        <button className="btn" type="submit" disabled={!connected || sending || empty || isUploading}>
          {busy ? "Queue" : "Send"} <KeyCap>↵</KeyCap>
        </button>
        {busy && onStop ? (
          <button
            type="button"
            className="btn icon"
            aria-label="Stop the turn"
            title="Stop the turn"
            disabled={!connected}
            onClick={onStop}
          >
            <i aria-hidden="true" className="i s i-stop" />
          </button>
        ) : undefined}
      </div>
    </form>
  );
}
