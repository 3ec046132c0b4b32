import type { CallEntry, CompactionEntry, EndEntry, Entry, PromptEntry, ReplyEntry } from "@baton/core/session/transcript/entry";
import { compactionText } from "@baton/core/text/compaction-notice-text";
import { retryText } from "@baton/core/text/retry-text";
import { EMPTY_ANSWER_TEXT, formatCount, formatTime, shortModelName } from "@baton/core/text/format";
import { sanitize, oneLine } from "@baton/core/text/sanitize";
import { memo } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import type { StreamingCall } from "@baton/core/client/streaming-state";
import { useSession, useSessionSnapshot, useStreams } from "../../store/session/session-context.ts";
import { CallRow } from "./call.tsx";
import { ErrorNotice } from "../banner.tsx";
import { Icon, WorkingIcon } from "../icon.tsx";
import { Markdown } from "../text/markdown.tsx";
import { ModeName } from "../composer/mode-name.tsx";
import { useNow } from "../common-hooks.ts";
import { ImageList } from "../image-view.tsx";
import { PromptActions } from "./prompt-actions.tsx";
import { rowSeq, type ConversationRow } from "./transcript-rows.ts";
import { Elapsed } from "../sidebar/relative-time.tsx";
import { HookReports } from "./hook-reports.tsx";
import { SyntheticPrompt } from "./synthetic-prompt.tsx";
import { Transition } from "./mode-transition.tsx";
import { TurnEnd } from "./turn-end.tsx";
import { isNotable } from "./turn-summary.ts";
import { capitalize, countTimes } from "../text/strings.ts";
import { TextWithCode } from "../text/text-with-code.tsx";

/** One row of the transcript. */
export const TranscriptRow = memo(function RowOf({ row }: { row: ConversationRow }) {
  return (
    <div className={row.tight ? "row-of tight" : "row-of"} data-seq={rowSeq(row)}>
      {row.kind === "quiet" ? <CollapsedCalls row={row} /> : <EntryView entry={row.entry} />}
      {row.kind === "end" && isNotable(row.turn) ? <TurnEnd entry={row.entry} turn={row.turn} /> : undefined}
    </div>
  );
});

function EntryView({ entry }: { entry: Entry }) {
  switch (entry.kind) {
    case "prompt":
      return entry.synthetic === undefined ? <Prompt entry={entry} /> : <SyntheticPrompt entry={entry} />;
    case "reply":
      return <Reply entry={entry} />;
    case "call":
      return (
        <>
          <CallRow entry={entry} />
          <HookReports hooks={entry.hooks} />
        </>
      );
    case "transition":
      return <Transition entry={entry} />;
    case "compaction":
      return <Compaction entry={entry} />;
    case "end":
      return <End entry={entry} />;
  }
}

/** The user's prompt, with its mode and model. */
function Prompt({ entry }: { entry: PromptEntry }) {
  return (
    <article className="prompt" aria-label="You">
      {paragraphs(entry.text).map((paragraph, i) => (
        <p key={i} dir="auto">
          {paragraph}
        </p>
      ))}
      {entry.images ? <ImageList images={entry.images} /> : undefined}
      <HookReports hooks={entry.hooks} />
      <p className="meta">
        <span>You, {formatTime(entry.at)}</span>
        <ModeName slug={entry.mode} />
        {entry.model === undefined ? undefined : <span>{shortModelName(entry.model)}</span>}
        <PromptActions entry={entry} />
      </p>
    </article>
  );
}

const paragraphs = (text: string): string[] =>
  sanitize(text)
    .trim()
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== "");

/** A reply while it streams and when it is final. Both use the same element, so that nothing is redrawn at the end. */
function Reply({ entry }: { entry: ReplyEntry }) {
  const running = entry.phase === "running";
  const streamed = useStreams(({ reply }) =>
    running && reply?.step === entry.step && reply.attempt === entry.attempt ? reply.text : undefined,
  );
  const text = running ? wholeWords(streamed ?? entry.text) : entry.text.trim();
  if (running && text.trim() === "") return <Thinking entry={entry} />;
  return (
    <div className="prose" aria-busy={running}>
      {entry.modelBefore === undefined ? undefined : (
        <div className="transition">
          model {shortModelName(entry.modelBefore)} → {shortModelName(entry.model)}
        </div>
      )}
      {entry.reasoning?.trim() ? <Reasoning text={entry.reasoning} /> : undefined}
      <Markdown text={text} growing={running} />
      {running ? <Coming /> : undefined}
      {entry.failure?.retryAt === undefined ? undefined : <Retry step={entry.step} failure={entry.failure} />}
    </div>
  );
}

/** The model is working and has not written text yet. */
function Thinking({ entry }: { entry: ReplyEntry }) {
  const reasoning = useStreams(({ reply }) => reply?.reasoning.slice(-200) ?? "");
  const call = useStreams(({ reply }) => reply?.call);
  return (
    <div className="call running">
      <div className="head">
        <WorkingIcon />
        <span className="verb">{call ? "Writing" : reasoning === "" ? `Waiting for ${shortModelName(entry.model)}` : "Thinking"}</span>
        <span className="what soft">{call ? comingText(call) : oneLine(reasoning)}</span>
        <span className="end">
          <Elapsed since={entry.at} />
        </span>
      </div>
    </div>
  );
}

const comingText = ({ tool, characters }: StreamingCall): string =>
  characters === 0 ? oneLine(tool) : `${oneLine(tool)}, ${formatCount(characters, "character")}`;

/** A call that the model is writing. */
function Coming() {
  const call = useStreams(({ reply }) => reply?.call);
  return call === undefined ? undefined : <p className="soft">Writing {comingText(call)}</p>;
}

const Reasoning = ({ text }: { text: string }) => (
  <details className="call">
    <summary>
      <Icon name="chevron-right" className="chev" />
      <span className="verb">Thought</span>
    </summary>
    <div className="body note thought" dir="auto">
      {sanitize(text).trim()}
    </div>
  </details>
);

/** The text up to its last blank, so that no word is shown partly. A long run without blanks is shown as it is. */
function wholeWords(text: string): string {
  const end = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n")) + 1;
  return text.length - end > 40 ? text : text.slice(0, end);
}

/** A failed request to the model that Baton retries. */
function Retry({ step, failure }: Pick<ReplyEntry, "step"> & { failure: Failure }) {
  const { message, retryAt = 0 } = failure;
  const now = useNow(1_000);
  const waits = useSessionSnapshot(({ state }) => state.turn !== undefined && state.step?.n === step && state.step.retryAt === retryAt);
  const left = Math.ceil((retryAt - now) / 1_000);
  const { commands, tell } = useApp();
  const { id } = useSession();
  const connected = useConnected();
  if (!waits) return undefined;
  return (
    <ErrorNotice passing title="The model did not answer">
      <TextWithCode text={oneLine(message)} />
      <br />
      {retryText(failure, now)}. Nothing is lost, and nothing runs twice.{" "}
      {left > 1 ? (
        <button
          type="button"
          className="btn small"
          disabled={!connected}
          onClick={() => void commands.send(id, { type: "retry" }).catch(tell)}
        >
          Try now
        </button>
      ) : undefined}
    </ErrorNotice>
  );
}

type Failure = NonNullable<ReplyEntry["failure"]>;

function End({ entry: { id, reason, message, empty, at } }: { entry: EndEntry }) {
  const detail = message === undefined ? "" : `: ${oneLine(message)}`;
  switch (reason) {
    case "completed":
      if (message !== undefined) return <div className="transition">{oneLine(message)}</div>;
      return empty ? <div className="transition">{EMPTY_ANSWER_TEXT}</div> : undefined;
    case "stopped":
      return <div className="transition">stopped · {formatTime(at)}</div>;
    case "failed":
      return (
        <ErrorNotice title="The turn failed">
          <TextWithCode text={oneLine(message ?? "")} />
          <br />
          Finished work is kept. Choose another model, or say how to continue. <GoOn after={id} />
        </ErrorNotice>
      );
    case "limit":
      return <div className="transition">{message ? oneLine(message) : "The turn ended at its step limit."}</div>;
    case "denied":
      return <div className="transition">The turn ended because a request was denied{detail}.</div>;
    case "blocked":
      return <div className="transition">The turn could not continue{detail}.</div>;
  }
}

/** Continues after a failure, as long as it is the newest entry. */
function GoOn({ after }: { after: string }) {
  const { commands, tell } = useApp();
  const { id } = useSession();
  const connected = useConnected();
  const last = useSessionSnapshot(({ state, parts }) => state.turn === undefined && parts.at(-1)?.entries.at(-1)?.id === after);
  if (!last) return undefined;
  return (
    <button
      type="button"
      className="btn small"
      disabled={!connected}
      onClick={() => void commands.prompt(id, { text: "Continue." }, "queue").catch(tell)}
    >
      Continue
    </button>
  );
}

/** Where the conversation was compacted, with the summary that the model reads. */
function Compaction({ entry }: { entry: CompactionEntry }) {
  const text = compactionText(entry);
  if (entry.summary === undefined) return <div className="transition">{text}</div>;
  return (
    <details className="call">
      <summary>
        <Icon name="chevron-right" className="chev" />
        <span className="verb long">{text}</span>
      </summary>
      <div className="body note">
        <Markdown text={entry.summary} growing={false} />
      </div>
    </details>
  );
}

/** A run of read-only calls, collapsed. */
function CollapsedCalls({ row: { calls } }: { row: Extract<ConversationRow, { kind: "quiet" }> }) {
  const verbs = Map.groupBy(calls, ({ label }) => label.verb);
  const what =
    calls.length === 2
      ? calls.map(({ label }) => oneLine(label.object)).join(", ")
      : [...verbs]
          .map(([verb, same]) =>
            isOfServer(same) ? `${countTimes(same.length, "call")} of ${oneLine(verb)}` : countTimes(same.length, oneLine(verb)),
          )
          .join(", ");
  return (
    <details className="call">
      <summary>
        <Icon name="chevron-right" className="chev" />
        <span className="verb">Looked around</span>
        <span className={calls.length === 2 ? "what" : "what plain"}>{what}</span>
        <span className="end">
          {calls.length === 2 ? [...verbs.keys()].map((verb) => capitalize(oneLine(verb)).toLowerCase()).join(", ") : ""}
        </span>
      </summary>
      <div className="body">
        {calls.map((call) => (
          <CallRow key={call.id} entry={call} />
        ))}
      </div>
    </details>
  );
}

/** The verb of a server's tool is the name of the server. */
const isOfServer = ([call]: readonly CallEntry[]): boolean => call?.tool.includes("__") === true;
