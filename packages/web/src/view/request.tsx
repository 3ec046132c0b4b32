import type { Answer, Request } from "@baton/core/protocol/request";
import type { AccessVerdict, Rule } from "@baton/core/protocol/rule";
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { AnswerDraft } from "../store/answer-draft.ts";
import { useConnected } from "../store/app.ts";
import { clean, exact, oneLine } from "@baton/core/text/clean";
import { Diamond, Icon, Key } from "./icon.tsx";
import { Markdown } from "./markdown.tsx";
import { ModeName } from "./mode-name.tsx";
import { ruleFrom, ruleText } from "./rule-text.ts";
import { RuleAndPlace } from "./rule.tsx";
import { Age } from "./since.tsx";
import { Exact } from "./view.tsx";
import { shortHash, took } from "@baton/core/text/words";
import { capital } from "./words.ts";

export type RequestProps = {
  request: Request;
  mode: string;
  /** The session it is of, when that is another one than the one on the page. */
  session: string | undefined;
  nth: number;
  of: number;
  /** Digits answer this one. */
  now: boolean;
  draft: AnswerDraft;
  onDraft: (draft: AnswerDraft) => void;
  onAnswer: (answer: Answer) => void;
  onHint: (hint: string) => void;
  /** It is on its way, or was answered: what there is to say of it. */
  settled: ReactNode;
};

const isApproval = ({ kind, subject }: Request): boolean => kind === "approval" && "call" in subject;

/** Whether it can be answered in one's own words. */
export const takesWords = ({ freeText, kind }: Pick<Request, "freeText" | "kind">): boolean => freeText && kind !== "approval";

export const titleOf = ({ kind, text, header, subject }: Pick<Request, "kind" | "text" | "header" | "subject">): string =>
  clean(kind === "approval" ? header : text).trim() || ("call" in subject ? "A question" : "Go on?");

/** What it wants in a line: the verb and the object of a call, else its title. */
export const shortOf = (request: Pick<Request, "kind" | "text" | "header" | "subject">): string =>
  request.kind === "approval" && "call" in request.subject ? capital(exact(request.text)) : titleOf(request);

/**
 * A request, whole: exactly what would be done, then where, then which rule asks and where it stands, then the choices.
 * Nothing in it is shortened and nothing is chosen beforehand.
 */
export function RequestCard({ request, mode, session, nth, of, now, draft, onDraft, onAnswer, onHint, settled }: RequestProps) {
  const title = useId();
  const approval = isApproval(request);
  const below =
    request.kind === "approval" ? (approval ? "" : request.text) : request.header !== request.text && request.view ? request.header : "";
  return (
    <section
      className={`request${now ? " now" : ""}`}
      id={`r-${request.id}`}
      data-request={request.id}
      tabIndex={-1}
      aria-labelledby={title}
    >
      <div className="head">
        <Diamond />
        <ModeName slug={mode} />
        {session === undefined ? undefined : <span>in {oneLine(session)}</span>}
        {of > 1 ? (
          <span>
            {nth} of {of}
          </span>
        ) : undefined}
        <span className="r">
          <Age since={request.openedAt} />
        </span>
      </div>
      <h2 id={title}>{titleOf(request)}</h2>
      <div className="fill">
        {below === "" ? undefined : (
          <div className="prose">
            <Markdown text={below} />
          </div>
        )}
        {request.view || approval ? <Exact view={request.view} text={request.text} /> : undefined}
        {approval ? <Facts request={request} /> : undefined}
        {approval ? <Verdicts request={request} /> : undefined}
        {takesWords(request) ? <Options {...{ request, draft, onDraft, onAnswer, onHint, settled }} /> : undefined}
        {draft.full ? <FullText request={request} /> : undefined}
      </div>
      {settled !== undefined ? (
        <p className="settled">{settled}</p>
      ) : takesWords(request) ? undefined : (
        <Choices request={request} onAnswer={onAnswer} onHint={onHint} />
      )}
      {approval && settled === undefined ? <GrantRow {...{ request, draft, onDraft, onHint }} /> : undefined}
    </section>
  );
}

function Facts({ request: { folder, hash, view, verdicts = [], rule } }: { request: Request }) {
  const asking = verdicts.find(({ effect }) => effect === "ask")?.rule ?? rule ?? null;
  const inline = view?.type === "diff" || verdicts.length === 0;
  const cwd = view?.type === "command" ? view.cwd : folder;
  return (
    <div className="facts">
      {inline ? (
        <span>
          {asking ? (
            <>
              asked by <RuleAndPlace rule={asking} />
            </>
          ) : (
            "asked because no rule covers it"
          )}
        </span>
      ) : undefined}
      {inline || cwd === undefined ? undefined : (
        <span>
          <Icon name="folder" small />
          in <code>{exact(cwd)}</code>
        </span>
      )}
      {hash === undefined ? undefined : <span className="mono">sha256 {shortHash(hash)}</span>}
      {view?.type === "command" && view.timeLimitMs !== undefined ? (
        <span>
          time limit{" "}
          {took(view.timeLimitMs)
            .replace(/\.0 s$/, " s")
            .replace(/ 0 s$/, "")}
        </span>
      ) : undefined}
    </div>
  );
}

/** One line for each simple command or other access: what holds for it, by which rule, and where that stands. */
function Verdicts({ request: { verdicts = [], view } }: { request: Request }) {
  if (view?.type === "diff" || verdicts.length === 0) return undefined;
  return (
    <ul className="verdicts" aria-label="Verdict for each part">
      {verdicts.map((verdict, i) => (
        <li key={i}>
          {verdict.effect === "ask" ? (
            <Diamond className="s st-wait" />
          ) : (
            <Icon name={verdict.effect === "allow" ? "check" : "circle-slash"} small className="dim" />
          )}
          <span className={verdict.effect === "ask" ? "asks" : ""}>{verdict.effect}</span>
          <code>{exact(verdict.resource)}</code>
          <Reason verdict={verdict} />
        </li>
      ))}
    </ul>
  );
}

function Reason({ verdict: { rule } }: { verdict: AccessVerdict }) {
  if (!rule) return <span>no rule covers it</span>;
  if (rule.layer === "workspace" || rule.layer === "session")
    return (
      <span className="dim">
        {rule.layer} {oneLine(rule.source)}
      </span>
    );
  return <RuleAndPlace rule={rule} />;
}

/** Enter on a button would be a click; here it is only a key that came by. */
export function notByEnter(onHint: (hint: string) => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    onHint("Enter alone answers nothing: press a digit, or the space bar on a choice.");
  };
}

function Choices({ request: { choices }, onAnswer, onHint }: Pick<RequestProps, "request" | "onAnswer" | "onHint">) {
  const connected = useConnected();
  return (
    <>
      {choices.some(({ description }) => description) ? (
        <ul className="abouts">
          {choices.map(({ id, label, description }) =>
            description ? <li key={id}>{`${clean(label)}: ${clean(description)}`}</li> : undefined,
          )}
        </ul>
      ) : undefined}
      <div className="choices">
        {choices.map(({ id, label }, i) => (
          <button
            key={id}
            type="button"
            className={`btn${id === "deny" || id === "stop" ? " deny" : ""}`}
            disabled={!connected}
            aria-keyshortcuts={String(i + 1)}
            onKeyDown={notByEnter(onHint)}
            onClick={() => onAnswer({ choice: id })}
          >
            <Key>{String(i + 1)}</Key>
            {clean(label)}
          </button>
        ))}
      </div>
    </>
  );
}

type OptionsProps = Pick<RequestProps, "request" | "draft" | "onDraft" | "onAnswer" | "onHint" | "settled">;

function Options({ request: { choices }, draft, onDraft, onAnswer, onHint, settled }: OptionsProps) {
  const connected = useConnected();
  const own = draft.text?.trim() ?? "";
  const disabled = !connected || settled !== undefined;
  return (
    <div className="options choices-of">
      {choices.map(({ id, label, description }, i) => (
        <button
          key={id}
          type="button"
          className="btn"
          disabled={disabled}
          aria-keyshortcuts={String(i + 1)}
          onKeyDown={notByEnter(onHint)}
          onClick={() => onAnswer({ choice: id })}
        >
          <Key>{String(i + 1)}</Key>
          <span>
            {clean(label)}
            {description ? <span className="dim"> {clean(description)}</span> : undefined}
          </span>
        </button>
      ))}
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (own !== "" && !disabled) onAnswer({ text: own });
        }}
      >
        <input
          className="field"
          aria-label="Your own answer"
          placeholder="Answer in your own words"
          value={draft.text ?? ""}
          onChange={(event) => onDraft({ ...draft, text: event.target.value })}
        />
        <button className="btn" disabled={disabled || own === ""}>
          Answer <Key>↵</Key>
        </button>
      </form>
    </div>
  );
}

/** The rule that would be remembered, and the words for the agent. */
function GrantRow({ request, draft, onDraft, onHint }: Pick<RequestProps, "request" | "draft" | "onDraft" | "onHint">) {
  const { remember, choices } = request;
  const digits = choices.flatMap(({ id }, i) => (id === "session" || id === "workspace" ? [String(i + 1)] : []));
  const kept = draft.rule ?? remember;
  return (
    <>
      {draft.typing === "note" || draft.note !== undefined ? <Note draft={draft} onDraft={onDraft} /> : undefined}
      <div className="grantrow">
        {kept && digits.length > 0 ? (
          <>
            <span>
              {digits.join(" and ")} remember{digits.length === 1 ? "s" : ""}
            </span>
            {draft.typing === "rule" ? (
              <RuleField rule={kept} remember={remember} draft={draft} onDraft={onDraft} onHint={onHint} />
            ) : (
              <span className="rule">{ruleText(kept)}</span>
            )}
            <button type="button" className="btn quiet small" onClick={() => onDraft({ ...draft, typing: "rule" })}>
              Edit <Key>E</Key>
            </button>
          </>
        ) : undefined}
        <button type="button" className="btn quiet small" onClick={() => onDraft({ ...draft, typing: "note" })}>
          Note <Key>N</Key>
        </button>
        <button
          type="button"
          className="btn quiet small"
          aria-expanded={draft.full ?? false}
          onClick={() => onDraft({ ...draft, full: !draft.full })}
        >
          Full text <Key>V</Key>
        </button>
      </div>
    </>
  );
}

function Note({ draft: { typing, ...draft }, onDraft }: { draft: AnswerDraft; onDraft: RequestProps["onDraft"] }) {
  const keep = (text: string) => {
    const { note: _, ...rest } = draft;
    onDraft(text.trim() === "" ? rest : { ...rest, note: text });
  };
  return (
    <div className="notefield">
      <input
        className="field"
        aria-label="Note for the agent"
        placeholder="Note for the agent; it goes with your answer"
        autoFocus={typing === "note"}
        value={draft.note ?? ""}
        onChange={(event) => onDraft({ ...draft, note: event.target.value, typing: "note" })}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          keep(event.key === "Escape" ? "" : (draft.note ?? ""));
          backToCard(event.currentTarget);
        }}
        onBlur={() => keep(draft.note ?? "")}
      />
    </div>
  );
}

type RuleFieldProps = {
  rule: Rule;
  remember: Rule | undefined;
  draft: AnswerDraft;
  onDraft: RequestProps["onDraft"];
  onHint: RequestProps["onHint"];
};

function RuleField({ rule, remember, draft: { typing: _, ...draft }, onDraft, onHint }: RuleFieldProps) {
  const [said, setSaid] = useState(ruleText(rule));
  const dropped = useRef(false);
  const settle = () => {
    const next = ruleFrom(said.trim(), remember);
    if (!next) onHint("A rule is an action and a resource, such as: command git push *");
    onDraft(next && !dropped.current ? { ...draft, rule: next } : draft);
  };
  return (
    <textarea
      className="rule"
      aria-label="Rule to remember"
      rows={1}
      autoFocus
      value={said}
      onChange={(event) => setSaid(event.target.value.replaceAll("\n", " "))}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        dropped.current = event.key === "Escape";
        backToCard(event.currentTarget);
      }}
      onBlur={settle}
    />
  );
}

const backToCard = (element: HTMLElement): void => element.closest<HTMLElement>(".request")?.focus({ preventScroll: true });

/** All there is to a request: the whole input, the whole hash. */
function FullText({ request: { tool, input, hash, folder, id } }: { request: Request }) {
  return (
    <pre className="block full">
      {[
        ...(tool === undefined ? [] : [`tool ${exact(tool)}`]),
        exact(JSON.stringify(input, undefined, 2) ?? ""),
        ...(folder === undefined ? [] : [`folder ${exact(folder)}`]),
        ...(hash === undefined ? [] : [`sha256 ${hash}`]),
        `request ${id}`,
      ].join("\n")}
    </pre>
  );
}
