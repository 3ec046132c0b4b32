import type { Request } from "@baton/core/protocol/request";
import { takesNote } from "@baton/core/protocol/request-traits";
import { oneLine } from "@baton/core/text/sanitize";
import type { Rule } from "@baton/core/protocol/rule";
import { useRef, useState } from "react";
import type { AnswerDraft } from "../../store/session/drafts.ts";
import { Icon, KeyCap } from "../icon.tsx";
import { coversAllResources, parseRule, ruleText } from "@baton/core/text/rule-text";

type Props = {
  request: Request;
  draft: AnswerDraft;
  onDraft: (draft: AnswerDraft) => void;
  onHint: (hint: string) => void;
};

/** The rule that the answer would remember, and the note for the agent. */
export function RememberedRuleAndNote({ request, draft, onDraft, onHint }: Props) {
  const { remember, choices } = request;
  const digits = choices.flatMap(({ id }, i) => (id === "session" || id === "workspace" ? [String(i + 1)] : []));
  const rememberedRule = draft.rule ?? remember;
  return (
    <>
      {draft.typing === "note" || draft.note !== undefined ? <Note draft={draft} onDraft={onDraft} /> : undefined}
      <div className="grantrow">
        {rememberedRule && digits.length > 0 ? (
          <span className="what">
            <span>
              {digits.join(" and ")} remember{digits.length === 1 ? "s" : ""}
            </span>
            {draft.typing === "rule" ? (
              <RuleField rule={rememberedRule} remember={remember} draft={draft} onDraft={onDraft} onHint={onHint} />
            ) : (
              <span className="rule">{ruleText(rememberedRule)}</span>
            )}
          </span>
        ) : undefined}
        {rememberedRule && digits.length > 0 && coversAllResources(rememberedRule) ? (
          <span className="wide" role="alert">
            <Icon name="warning" small />
            This rule is broad: {digits.join(" and ")} would allow <b>every {oneLine(rememberedRule.action)}</b> without asking, not only
            this one.
          </span>
        ) : undefined}
        <span className="row">
          {rememberedRule && digits.length > 0 ? (
            <button type="button" className="btn quiet small" onClick={() => onDraft({ ...draft, typing: "rule" })}>
              Edit <KeyCap>E</KeyCap>
            </button>
          ) : undefined}
          {takesNote(request) ? (
            <button type="button" className="btn quiet small" onClick={() => onDraft({ ...draft, typing: "note" })}>
              Note <KeyCap>N</KeyCap>
            </button>
          ) : undefined}
        </span>
      </div>
    </>
  );
}

function Note({ draft: { typing, ...draft }, onDraft }: { draft: AnswerDraft; onDraft: Props["onDraft"] }) {
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
  onDraft: Props["onDraft"];
  onHint: Props["onHint"];
};

function RuleField({ rule, remember, draft: { typing: _, ...draft }, onDraft, onHint }: RuleFieldProps) {
  const [typed, setSaid] = useState(ruleText(rule));
  const dropped = useRef(false);
  const settle = () => {
    const next = parseRule(typed.trim(), remember);
    if (!next) onHint("A rule is an action and a resource, such as: command git push *");
    onDraft(next && !dropped.current ? { ...draft, rule: next } : draft);
  };
  return (
    <textarea
      className="rule"
      aria-label="Rule to remember"
      rows={1}
      autoFocus
      value={typed}
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
