import type { CallEntry } from "@baton/core/session/transcript";
import type { ReactNode } from "react";
import { useApp, useWatched } from "../store/app.ts";
import { useSession, useStreams } from "../store/session-context.ts";
import { answeredWhere, answerGiven } from "./actor.ts";
import { oneLine } from "@baton/core/text/clean";
import { DiffCounts } from "./diff.tsx";
import { Diamond, Icon, Ring } from "./icon.tsx";
import { outputLines } from "./lines.ts";
import { Markdown } from "./markdown.tsx";
import { RuleAndPlace } from "./rule.tsx";
import { Elapsed } from "./since.tsx";
import { Subtask } from "./subtask.tsx";
import { Plain, ViewOf } from "./view.tsx";
import { age, took } from "@baton/core/text/words";
import { capital, clock } from "./words.ts";

/** A call, in every state that it can be in. */
export function Call({ entry }: { entry: CallEntry }) {
  const { id } = useSession();
  const sessions = useWatched(useApp().lists.sessions);
  const child = sessions?.find((row) => row.id === `${id}.${entry.id}`);
  if (child) return <Subtask row={child} entry={entry} />;
  switch (entry.phase) {
    case "requested":
    case "allowed":
    case "running":
      return <Running entry={entry} />;
    case "waiting":
      return (
        <Head entry={entry} glyph={<Diamond className="st-wait" />}>
          needs you
        </Head>
      );
    case "unknown":
      return <Unknown entry={entry} />;
    case "ok":
    case "failed":
    case "denied":
    case "interrupted":
      return entry.result?.ends ? <LastWord entry={entry} /> : <Ended entry={entry} />;
  }
}

function Head({ entry: { label, phase }, glyph, children }: { entry: CallEntry; glyph: ReactNode; children?: ReactNode }) {
  return (
    <div className={`call ${CLASSES[phase] ?? ""}`}>
      <div className="head">
        {glyph}
        <span className="verb">{capital(oneLine(label.verb))}</span>
        <span className="what">{oneLine(label.object)}</span>
        <span className="end">{children}</span>
      </div>
    </div>
  );
}

const CLASSES: Partial<Record<CallEntry["phase"], string>> = { failed: "failed", denied: "denied", unknown: "unknown" };

const LIVE_LINES = 6;

/** A call under way: how long, and the end of what it has printed so far. */
function Running({ entry }: { entry: CallEntry }) {
  const output = useStreams(({ outputs }) => outputs.get(entry.id) ?? "");
  const lines = outputLines(output.slice(-4_096)).filter((line) => line.trim() !== "");
  return (
    <div className="call running">
      <div className="head">
        <Ring />
        <span className="verb">
          {capital(oneLine(entry.label.verb))}
          <span className="vh"> (working)</span>
        </span>
        <span className="what">{oneLine(entry.label.object)}</span>
        <span className="end">
          <Elapsed since={entry.startedAt ?? entry.at} />
        </span>
      </div>
      {lines.length === 0 ? undefined : (
        <div className="body">
          <div className="term live">
            <pre>{lines.slice(-LIVE_LINES).join("\n")}</pre>
          </div>
        </div>
      )}
    </div>
  );
}

/** What happened is open by itself where it says more than its line: changes, output, lists, failures. */
const OPEN = new Set(["diff", "terminal", "list", "link"]);

function Ended({ entry }: { entry: CallEntry }) {
  const { label, phase, result } = entry;
  const body = bodyOf(entry);
  const glyph =
    phase === "failed" ? (
      <Icon name="close" className="st-fail" />
    ) : phase === "ok" ? (
      body ? (
        <Icon name="chevron-right" className="chev" />
      ) : (
        <Icon name="check" className="st-ok" />
      )
    ) : (
      <Icon name="circle-slash" />
    );
  const line = (
    <>
      {glyph}
      <span className="verb">{capital(oneLine(label.verb))}</span>
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
  const open = phase !== "ok" || entry.answer !== undefined || OPEN.has(result?.view?.type ?? "") || isMarkdown(entry);
  return (
    <details className={`call ${CLASSES[phase] ?? ""}`} open={open}>
      <summary>{line}</summary>
      <div className="body">{body}</div>
    </details>
  );
}

const isMarkdown = ({ result }: CallEntry): boolean => result?.view?.type === "text" && result.view.format === "markdown";

const LEAST_TOLD_MS = 1_000;

/** How it ended, in a few words: the tool's own, else what the outcome says; with the time when it took some. */
function End({ entry: { phase, result, startedAt, endedAt, answer } }: { entry: CallEntry }) {
  const spent = startedAt !== undefined && endedAt !== undefined && endedAt - startedAt >= LEAST_TOLD_MS ? took(endedAt - startedAt) : "";
  const said = oneLine(result?.end ?? "");
  const time = /\d m?s\b/.test(said) ? "" : spent;
  if (phase === "interrupted") return said || "stopped";
  if (phase === "denied") return answer ? "refused" : said || "denied";
  if (phase === "failed")
    return (
      <>
        <b>{said || "failed"}</b>
        {time ? <span className="opt">{time}</span> : undefined}
      </>
    );
  if (result?.view?.type === "diff") return <DiffCounts view={result.view} />;
  return said && time ? `${said} · ${time}` : said || time;
}

function bodyOf(entry: CallEntry): ReactNode {
  const { phase, result, verdict } = entry;
  const record = <Answered entry={entry} />;
  if (phase === "denied")
    return (
      <div className="note">
        {entry.answer ? (
          record
        ) : (
          <>
            {verdict?.rule ? <RuleAndPlace rule={verdict.rule} /> : undefined} {oneLine(result?.text ?? "")}
          </>
        )}
      </div>
    );
  const shown = result?.view !== undefined ? <ViewOf view={result.view} /> : result?.text.trim() ? <Plain text={result.text} /> : undefined;
  if (!entry.answer) return shown;
  return (
    <>
      {record}
      {shown}
    </>
  );
}

/** The one line that is left of a request: what was answered, where, after how long, with which words. */
function Answered({ entry: { request, answer, answeredBy } }: { entry: CallEntry }) {
  const { here } = useApp();
  const { answers } = useSession();
  if (!request || !answer) return undefined;
  const seen = answers.get(request.id);
  const after = seen ? `, after ${age(seen.at - request.openedAt)}` : "";
  return (
    <p className="note">
      {answerGiven(answer, request)} {answeredWhere(answeredBy, { here: here.has(request.id), elsewhere: seen !== undefined })}
      {after}
      {answer.note ? <>: “{oneLine(answer.note)}”</> : undefined}
    </p>
  );
}

function Unknown({ entry: { label, startedAt, result } }: { entry: CallEntry }) {
  return (
    <div className="call unknown">
      <div className="head">
        <Icon name="question" className="st-unknown" />
        <span className="verb strong">Outcome unknown</span>
        <span className="what">{oneLine(label.object)}</span>
        <span className="end">{startedAt === undefined ? "" : `started ${clock(startedAt)}`}</span>
      </div>
      <div className="body">
        {oneLine(result?.text ?? "")}
        {result?.view ? <ViewOf view={result.view} /> : undefined}
      </div>
    </div>
  );
}

/** What a call that ends the turn says is the last word of the turn. */
function LastWord({ entry: { result } }: { entry: CallEntry }) {
  const view = result?.view;
  const text = view?.type === "text" ? view.text : (result?.text ?? "");
  return (
    <div className="prose">
      <Markdown text={text} />
    </div>
  );
}
