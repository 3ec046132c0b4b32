import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { CallEntry } from "@baton/core/session/transcript/entry";
import { oneLine } from "@baton/core/text/sanitize";
import { formatAge, formatDuration } from "@baton/core/text/format";
import type { ReactNode } from "react";
import { useApp } from "../../store/app-context.ts";
import { useSession } from "../../store/session/session-context.ts";
import { answerOrigin } from "@baton/core/text/request/answer-origin";
import { answerText } from "../request/request-titles.ts";
import { DiffCounts } from "../diff/diff.tsx";
import { Icon } from "../icon.tsx";
import { ImageList } from "../image-view.tsx";
import { RuleLabel } from "../details/rule-label.tsx";
import { PlainText, ToolView } from "./tool-view.tsx";
import { capitalize } from "../text/strings.ts";

/** Views that are open from the start, because they show more than the line of the call. */
const OPEN = new Set(["diff", "terminal", "list", "link"]);

function PhaseIcon({ phase, hasBody }: { phase: CallEntry["phase"]; hasBody: boolean }) {
  if (phase === "failed") return <Icon name="close" className="st-fail" />;
  if (phase !== "ok") return <Icon name="circle-slash" />;
  return hasBody ? <Icon name="chevron-right" className="chev" /> : <Icon name="check" className="st-ok" />;
}

/** A finished call: one line with its result below. */
export function FinishedCall({ entry }: { entry: CallEntry }) {
  const { label, phase, result } = entry;
  const body = callBody(entry);
  const line = (
    <>
      <PhaseIcon phase={phase} hasBody={body !== undefined} />
      <span className="verb">{capitalize(oneLine(label.verb))}</span>
      <span className="what">{oneLine(label.object)}</span>
      <span className="end">
        <End entry={entry} />
      </span>
    </>
  );
  if (!body)
    return (
      <div className={`call ${CLASSES[phase] ?? ""}`}>
        <div className="head">{line}</div>
      </div>
    );
  const open =
    phase !== "ok" ||
    entry.answer !== undefined ||
    entry.diagnostics !== undefined ||
    result?.images !== undefined ||
    OPEN.has(result?.view?.type ?? "") ||
    isMarkdown(entry);
  return (
    <details className={`call ${CLASSES[phase] ?? ""}`} open={open}>
      <summary>{line}</summary>
      <div className="body">{body}</div>
    </details>
  );
}

const isMarkdown = ({ result }: CallEntry): boolean => result?.view?.type === "text" && result.view.format === "markdown";

const MIN_SHOWN_DURATION_MS = 1_000;

/** The result in a few words, with the duration of long calls. */
function End({ entry: { phase, result, startedAt, endedAt, answer } }: { entry: CallEntry }) {
  const duration =
    startedAt !== undefined && endedAt !== undefined && endedAt - startedAt >= MIN_SHOWN_DURATION_MS
      ? formatDuration(endedAt - startedAt)
      : "";
  const output = oneLine(result?.end ?? "");
  const time = /\d m?s\b/.test(output) ? "" : duration;
  if (phase === "interrupted") return output || "stopped";
  if (phase === "denied") return answer ? "denied" : output || "denied";
  if (phase === "failed")
    return (
      <>
        <b>{output || "failed"}</b>
        {time ? <span className="opt">{time}</span> : undefined}
      </>
    );
  if (result?.view?.type === "diff" && result.view.added + result.view.removed > 0) return <DiffCounts view={result.view} />;
  return output && time ? `${output} · ${time}` : output || time;
}

function callBody(entry: CallEntry): ReactNode {
  const { phase, result, verdict } = entry;
  const record = <Answered entry={entry} />;
  if (phase === "denied")
    return (
      <div className="note">
        {entry.answer ? (
          record
        ) : (
          <>
            {verdict?.rule ? <RuleLabel rule={verdict.rule} /> : undefined} {oneLine(result?.text ?? "")}
          </>
        )}
      </div>
    );
  const visible =
    result?.view !== undefined ? <ToolView view={result.view} /> : result?.text.trim() ? <PlainText text={result.text} /> : undefined;
  const { diagnostics } = entry;
  if (!entry.answer && !result?.images && !diagnostics) return visible;
  return (
    <>
      {record}
      {result?.images ? <ImageList images={result.images} /> : undefined}
      {isRedundant(result) ? undefined : visible}
      {diagnostics ? <ToolView view={diagnostics.view} /> : undefined}
    </>
  );
}

/** Whether the text next to images only repeats the line of the call. */
const isRedundant = ({ images, text, end, view }: Partial<ToolResult> = {}): boolean =>
  images !== undefined && view === undefined && end !== undefined && text?.endsWith(`${end}.`) === true && !text.includes("\n");

/** The line that remains of a request: the answer, its origin, the delay and the note. */
function Answered({ entry: { request, answer, answeredBy } }: { entry: CallEntry }) {
  const { answeredHere, link } = useApp();
  const { answers } = useSession();
  if (!request || !answer) return undefined;
  // An answer from here may have come second, after one from another kind of client.
  const isOwnKind = answeredBy !== undefined && "person" in answeredBy && answeredBy.person === (link.connect ? "editor" : "page");
  const seenAnswer = answers.get(request.id);
  const after = seenAnswer ? `, after ${formatAge(seenAnswer.at - request.openedAt)}` : "";
  return (
    <p className="note">
      {answerText(answer, request)}{" "}
      {answerOrigin(answeredBy, { reader: "page", here: isOwnKind && answeredHere.has(request.id), elsewhere: seenAnswer !== undefined })}
      {after}
      {answer.note ? <>: “{oneLine(answer.note)}”</> : undefined}
    </p>
  );
}

const CLASSES: Partial<Record<CallEntry["phase"], string>> = { failed: "failed", denied: "denied" };
