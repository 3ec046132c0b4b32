import type { Request } from "@baton/core/protocol/request";
import type { AccessVerdict } from "@baton/core/protocol/rule";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { shortHash, formatTimeLimit } from "@baton/core/text/format";
import { Diamond, Icon } from "../icon.tsx";
import { RuleLabel } from "../details/rule-label.tsx";

/** The rule that asks, the folder, and the hash that binds the answer to what is shown. */
export function RequestFacts({ request: { folder, hash, view, verdicts = [], rule } }: { request: Request }) {
  const asking = verdicts.find(({ effect }) => effect === "ask")?.rule ?? rule ?? null;
  const inline = view?.type === "diff" || verdicts.length === 0;
  const cwd = view?.type === "command" ? view.cwd : folder;
  return (
    <div className="facts">
      {inline ? (
        <span>
          {asking ? (
            <>
              asked by <RuleLabel rule={asking} />
            </>
          ) : (
            "asked because no rule matches"
          )}
        </span>
      ) : undefined}
      {inline || cwd === undefined ? undefined : (
        <span>
          <Icon name="folder" small />
          in <code>{escapeInvisible(cwd)}</code>
        </span>
      )}
      {hash === undefined ? undefined : <span className="mono wide-only">sha256 {shortHash(hash)}</span>}
      {view?.type === "command" ? <span>{formatTimeLimit(view.timeLimitMs)}</span> : undefined}
    </div>
  );
}

/** The reason above the action, because the choices of a tall card cover the verdicts. */
export function Why({ request: { verdicts = [], rule } }: { request: Request }) {
  const reasons = verdicts.filter(({ effect }) => effect === "ask");
  const rules = reasons.length === 0 ? [rule] : reasons.map((each) => each.rule);
  const rulesByKey = new Map(rules.map((each) => [each ? `${each.action} ${each.layer} ${each.source}` : "", each]));
  return (
    <ul className="why" aria-hidden="true">
      {[...rulesByKey].map(([key, each]) => (
        <li key={key}>asks: {each ? <RuleLabel rule={each} /> : "no rule matches"}</li>
      ))}
    </ul>
  );
}

/** One line for each access: the action, the verdict, the rule and its source. */
export function Verdicts({ request: { verdicts = [], view } }: { request: Request }) {
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
export function FullText({ request: { tool, input, hash, folder, id } }: { request: Request }) {
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
