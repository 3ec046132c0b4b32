import type { PromptDelivery } from "@baton/core/protocol/event";
import type { SessionState } from "@baton/core/session/state";
import { oneLine } from "@baton/core/text/sanitize";
import { newCommandId } from "@baton/core/client/command-client";
import type { RefObject } from "react";
import type { SessionCommand } from "@baton/core/protocol/command";
import { useApp } from "../store/app-context.ts";
import { NeedsYouIcon, Icon, KeyCap } from "../components/icon.tsx";
import type { Capability } from "../components/details/mode-capabilities.tsx";
import { CapabilityLine } from "../components/details/mode-capability-strip.tsx";
import { ContextFact } from "../components/details/context-meter.tsx";
import { useNarrowScreen } from "../components/common-hooks.ts";
import { PromptBox } from "../components/composer/prompt-box.tsx";
import type { SentPrompt } from "../components/composer/use-send-prompt.ts";
import { PromptQueue } from "../components/composer/prompt-queue.tsx";
import { requestSummary } from "../components/request/request-titles.ts";
import type { OpenRequests } from "./open-requests.ts";
import { useAllChoicesVisible } from "./use-all-choices-visible.ts";
import { useSlashCommands } from "./use-slash-commands.ts";

type Props = {
  id: string;
  state: SessionState;
  model: string | undefined;
  may: readonly Capability[];
  open: readonly OpenRequests[];
  /** Formatted cost, including subtasks. */
  cost: string;
  box: RefObject<HTMLTextAreaElement | null>;
  scroller: RefObject<HTMLElement | null>;
  send: (prompt: SentPrompt, delivery: PromptDelivery) => Promise<void>;
  run: (what: SessionCommand) => void;
  /** Moves to the next request. */
  next: () => void;
  leave: () => void;
  /** Scrolls to the end; undefined while the end is followed. */
  toNewest: (() => void) | undefined;
  onHelp: () => void;
};

/** The part below the transcript: open requests, queued prompts and the prompt box. */
export function Composer({ id, state, model, may, open, cost, box, scroller, send, run, next, leave, toNewest, onHelp }: Props) {
  const busy = state.turn !== undefined;
  const narrow = useNarrowScreen();
  const commands = useSlashCommands({ state, run, help: onHelp, inbox: next });
  return (
    <div className="dock">
      {/* Beside open requests it would lie over their choices; the line below leads to them. */}
      {toNewest === undefined || open.length > 0 ? undefined : (
        <button type="button" className="btn tonewest" onClick={toNewest}>
          <Icon name="arrow-down" small /> Jump to newest
        </button>
      )}
      <NeedsYou open={open} next={next} scroller={scroller} />
      <PromptQueue />
      <CapabilityLine mode={state.mode} may={may} />
      <PromptBox
        draftKey={id}
        cwd={state.workspace}
        roots={state.roots}
        mode={state.mode}
        model={model}
        busy={busy}
        box={box}
        commands={commands}
        placeholder={`${busy ? "Queue a prompt, or steer" : "Say what you want done"}${narrow ? "" : ". @ file, / command"}`}
        onSend={send}
        onMode={(mode) => run({ type: "switchMode", mode })}
        onCoordinate={() => run({ type: "coordinate", promptId: newCommandId() })}
        onModel={(chosen) => run({ type: "chooseModel", model: chosen })}
        onStop={() => run({ type: "interrupt" })}
        onEscape={leave}
        facts={
          <>
            <ContextFact model={model} used={state.contextTokens} />
            <span className="fact only-norail wide-only">{cost}</span>
          </>
        }
      />
    </div>
  );
}

/** Leads to requests that are out of view. It keeps its place while it is hidden, so that no choice moves. */
function NeedsYou({ open, next, scroller }: Pick<Props, "open" | "next" | "scroller">) {
  const allInView = useAllChoicesVisible(open, scroller);
  const { now } = useApp();
  const at = open.findIndex(({ request }) => request.id === now.get());
  const other = open.length > 1 ? open[(at + 1) % open.length] : undefined;
  if (open.length === 0) return undefined;
  return (
    <div className="needs" style={allInView ? { visibility: "hidden" } : undefined}>
      <NeedsYouIcon />
      <b>
        {open.length} {open.length === 1 ? "needs" : "need"} you here
      </b>
      {other === undefined ? undefined : <span className="cut soft wide-only">next: {oneLine(requestSummary(other.request))}</span>}
      <span className="r" />
      <button type="button" className="btn quiet small" onClick={next}>
        Next <KeyCap>J</KeyCap>
      </button>
    </div>
  );
}
