import { isAccessRequest } from "@baton/core/protocol/request-traits";
import type { RequestAnswer, Request } from "@baton/core/protocol/request";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { useId } from "react";
import type { AnswerDraft } from "../../store/session/drafts.ts";
import { ChoiceList, ChoiceRow } from "./choices.tsx";
import { FormFields } from "../form-fields.tsx";
import { RememberedRuleAndNote } from "./remembered-rule-and-note.tsx";
import { NeedsYouIcon, Icon } from "../icon.tsx";
import { InlineMarkdown, Markdown } from "../text/markdown.tsx";
import { ModeName } from "../composer/mode-name.tsx";
import { CommandFolder, ApprovalNotes, ReasonLine, RequestDetails } from "./request-facts.tsx";
import { isApproval, requestHeadline, requestKind, requestTitle } from "./request-titles.ts";
import { Wait } from "../sidebar/relative-time.tsx";
import { ExactText } from "../conversation/tool-view.tsx";
import { baseName } from "../text/strings.ts";

type RequestProps = {
  request: Request;
  mode: string;
  /** The title of the session, if it is not the one on the page. */
  session: string | undefined;
  nth: number;
  of: number;
  /** Whether digits answer this request. */
  now: boolean;
  draft: AnswerDraft;
  onDraft: (draft: AnswerDraft) => void;
  onAnswer: (answer: RequestAnswer) => void;
  onHint: (hint: string) => void;
};

/**
 * A request: what would happen, why it asks, the exact action, and the choices. Nothing is shortened or preselected. Everything
 * else is behind "Why?".
 */
export function RequestCard({ request, mode, session, nth, of, now, draft, onDraft, onAnswer, onHint }: RequestProps) {
  const title = useId();
  const approval = isApproval(request);
  const access = isAccessRequest(request);
  const isList = !access && (request.freeText || request.choices.some(({ description }) => description));
  const [firstLine = "", ...rest] = requestTitle(request).split("\n");
  const more = request.kind === "approval" ? "" : rest.join("\n").trim();
  const isChanged = approval && CHANGED.test(request.header);
  const toggleDetails = () => onDraft({ ...draft, full: !draft.full });
  const choosing = { request, onAnswer, onHint };
  return (
    <section
      className={`request${now ? " now" : ""}`}
      id={`r-${request.id}`}
      data-request={request.id}
      tabIndex={-1}
      aria-labelledby={title}
    >
      <div className="head">
        <NeedsYouIcon />
        <About request={request} mode={mode} />
        {session === undefined ? undefined : <span className="cut">in {oneLine(session)}</span>}
        {of > 1 ? (
          <span>
            {nth} of {of}
          </span>
        ) : undefined}
        <span className="r">
          <Wait request={request} />
        </span>
      </div>
      <h2 id={title} dir="auto">
        {request.kind === "approval" ? requestHeadline(request) : <InlineMarkdown text={firstLine} />}
      </h2>
      {access ? <ReasonLine request={request} open={draft.full ?? false} onToggle={toggleDetails} /> : undefined}
      <div className="fill">
        {isChanged ? <p className="strong">The call would now do something else than was shown.</p> : undefined}
        {more === "" ? undefined : (
          <div className="prose">
            <Markdown text={more} />
          </div>
        )}
        {request.kind === "approval" && !approval ? (
          <div className="prose">
            <Markdown text={request.text} />
          </div>
        ) : undefined}
        {request.kind === "form" ? <FormFields {...{ request, draft, onDraft }} /> : undefined}
        {(request.view && request.kind !== "form") || approval ? <ExactText view={request.view} text={request.text} /> : undefined}
        {approval ? <ApprovalNotes request={request} /> : undefined}
        {approval ? <CommandFolder request={request} /> : undefined}
        {draft.full ? <RequestDetails request={request} /> : undefined}
        {isList ? <ChoiceList {...{ ...choosing, draft, onDraft }} /> : undefined}
      </div>
      {isList ? undefined : (
        <div className="after">
          <ChoiceRow {...choosing} />
        </div>
      )}
      {access ? <RememberedRuleAndNote {...{ request, draft, onDraft, onHint }} /> : undefined}
    </section>
  );
}

/** The daemon begins the header with this sentence if the call has changed since it was shown. */
const CHANGED = /^The call would now do something else/;

/** The subject of the request: the mode, the folder or the server. */
function About({ request, mode }: Pick<RequestProps, "request" | "mode">) {
  const { subject } = request;
  const kind = requestKind(request);
  if ("workspace" in subject)
    return (
      <span className="row" title={escapeInvisible(subject.workspace)}>
        <Icon name="folder" small /> {oneLine(baseName(subject.workspace))}
      </span>
    );
  if ("server" in subject)
    return (
      <span className="row">
        <Icon name="plug" small /> {oneLine(subject.server)}
      </span>
    );
  if ("network" in subject)
    return (
      <span className="row">
        <Icon name="globe" small /> network
      </span>
    );
  return (
    <>
      <ModeName slug={mode} />
      {kind === undefined ? undefined : <span>{kind}</span>}
    </>
  );
}
