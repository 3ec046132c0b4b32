import type { Request } from "@baton/core/protocol/request";
import type { AccessVerdict } from "@baton/core/protocol/rule";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { requestReason, shownVerdicts } from "@baton/core/text/request/request-reason";
import { commandRunText } from "@baton/core/text/format";
import { NeedsYouIcon, Icon, KeyCap } from "../icon.tsx";
import { TextWithCode } from "../text/text-with-code.tsx";
import { RuleLabel } from "../details/rule-label.tsx";

/** Why an approval asks, in one line, with a button for everything else about it. */
export function ReasonLine({ request, open, onToggle }: { request: Request; open: boolean; onToggle: () => void }) {
  return (
    <p className="reason">
      <span>
        <TextWithCode text={requestReason(request)} />
      </span>
      <button type="button" className="btn quiet small" aria-expanded={open} onClick={onToggle}>
        Why? <KeyCap>W</KeyCap>
      </button>
    </p>
  );
}

/** What an approval does besides its exact text, such as running outside of the sandbox. */
export const ApprovalNotes = ({ request: { notes = [] } }: { request: Request }) =>
  notes.map((note) => (
    <p key={note} className="strong" dir="auto">
      {escapeInvisible(note)}
    </p>
  ));

/** The folder of a command, if it is not that of the session. */
export function CommandFolder({ request: { folder, view } }: { request: Request }) {
  if (view?.type !== "command" || view.cwd === folder) return undefined;
  return (
    <p className="facts">
      <span>
        <Icon name="folder" small />
        in <code>{escapeInvisible(view.cwd)}</code>
      </span>
    </p>
  );
}

/** Everything about an approval: the folder, the time limit, the verdict for each part, and the exact input with its hash. */
export function RequestDetails({ request }: { request: Request }) {
  const { folder, view, rule } = request;
  const cwd = view?.type === "command" ? view.cwd : folder;
  return (
    <div className="details">
      <div className="facts">
        {cwd === undefined ? undefined : (
          <span>
            <Icon name="folder" small />
            in <code>{escapeInvisible(cwd)}</code>
          </span>
        )}
        {view?.type === "command" ? <span>{commandRunText(view)}</span> : undefined}
        {request.verdicts?.length || !rule ? undefined : <RuleLabel rule={rule} />}
      </div>
      <Verdicts request={request} />
      <FullText request={request} />
    </div>
  );
}

/** One line for each access: the action, the verdict, the rule and its source. */
function Verdicts({ request: { verdicts = [] } }: { request: Request }) {
  const shown = shownVerdicts(verdicts);
  if (shown.length === 0) return undefined;
  return (
    <ul className="verdicts" aria-label="Verdict for each part">
      {shown.map((verdict, i) => (
        <li key={i}>
          {verdict.effect === "ask" ? (
            <NeedsYouIcon className="s st-wait" />
          ) : (
            <Icon name={verdict.effect === "allow" ? "check" : "circle-slash"} small className="dim" />
          )}
          <span className={verdict.effect === "ask" ? "asks" : ""}>{verdict.effect}</span>
          <code>
            <b>{escapeInvisible(verdict.action)}</b> {escapeInvisible(verdict.resource)}
          </code>
          <Reason verdict={verdict} />
        </li>
      ))}
    </ul>
  );
}

function Reason({ verdict: { rule } }: { verdict: AccessVerdict }) {
  if (!rule) return <span>no rule matches</span>;
  if (rule.layer === "workspace" || rule.layer === "session")
    return (
      <span className="dim">
        {rule.layer} {oneLine(rule.source)}
      </span>
    );
  return <RuleLabel rule={rule} />;
}

/** The full request: the whole input and the whole hash. */
function FullText({ request: { tool, input, hash, folder, id } }: { request: Request }) {
  return (
    <pre className="block full">
      {[
        ...(tool === undefined ? [] : [`tool ${escapeInvisible(tool)}`]),
        escapeInvisible(JSON.stringify(input, undefined, 2) ?? ""),
        ...(folder === undefined ? [] : [`folder ${escapeInvisible(folder)}`]),
        ...(hash === undefined ? [] : [`sha256 ${hash}`]),
        `request ${id}`,
      ].join("\n")}
    </pre>
  );
}
