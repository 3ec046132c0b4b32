import type { RequestAnswer, RequestChoice, Request } from "@baton/core/protocol/request";
import { sanitize } from "@baton/core/text/sanitize";
import type { KeyboardEvent, ReactNode } from "react";
import type { AnswerDraft } from "../../store/session/drafts.ts";
import { useConnected } from "../../store/app-context.ts";
import { KeyCap } from "../icon.tsx";
import { orderedChoices } from "./request-titles.ts";

type Props = {
  request: Request;
  onAnswer: (answer: RequestAnswer) => void;
  onHint: (hint: string) => void;
};

const REFUSING = new Set(["deny", "stop"]);

/** The choices as a row of buttons. Choices that deny are at the far end. */
export const ChoiceRow = ({ request, ...rest }: Props) => (
  <div className="choices">
    {orderedChoices(request).map(({ choice, offered }, nth) => (
      <ChoiceButton key={choice.id} {...{ choice, nth, offered, ...rest }} className={REFUSING.has(choice.id) ? "btn deny" : "btn"}>
        {sanitize(choice.label)}
      </ChoiceButton>
    ))}
  </div>
);

type ListProps = Props & { draft: AnswerDraft; onDraft: (draft: AnswerDraft) => void };

/** The choices as a list with descriptions, and a field for a free answer if the request allows one. */
export const ChoiceList = ({ request, draft, onDraft, ...rest }: ListProps) => (
  <div className="options choices-of">
    {request.choices.map((choice, nth) => (
      <ChoiceButton key={choice.id} {...{ choice, nth, ...rest }} className="btn">
        <span>
          {sanitize(choice.label)}
          {choice.description ? <span className="about">{sanitize(choice.description)}</span> : undefined}
        </span>
      </ChoiceButton>
    ))}
    {request.freeText && request.kind !== "form" ? <OwnWords {...{ draft, onDraft, ...rest }} /> : undefined}
  </div>
);

type ButtonProps = Omit<Props, "request"> & {
  choice: RequestChoice;
  nth: number;
  offered?: boolean;
  className: string;
  children: ReactNode;
};

function ChoiceButton({ choice, nth, offered = true, className, onAnswer, onHint, children }: ButtonProps) {
  const connected = useConnected();
  const digit = nth < 9 ? String(nth + 1) : undefined;
  return (
    <button
      type="button"
      className={className}
      data-choice={choice.id}
      disabled={!connected || !offered}
      title={offered ? undefined : NOT_OFFERED}
      aria-keyshortcuts={offered ? digit : undefined}
      onKeyDown={notByEnter(onHint)}
      onClick={() => onAnswer({ choice: choice.id })}
    >
      {digit === undefined ? undefined : <KeyCap>{digit}</KeyCap>}
      {children}
    </button>
  );
}

/** The reason for a choice that a request lacks. */
export const NOT_OFFERED = "Baton cannot remember an answer to this. Allow it once, or deny it.";

/** Prevents Enter on a button from answering; Enter may come from typing. */
function notByEnter(onHint: (hint: string) => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    onHint("Enter alone answers nothing. Press a digit, or the space bar on a choice.");
  };
}

function OwnWords({ draft, onDraft, onAnswer }: Omit<ListProps, "request">) {
  const connected = useConnected();
  const own = draft.text?.trim() ?? "";
  const disabled = !connected;
  return (
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
        Answer <KeyCap>↵</KeyCap>
      </button>
    </form>
  );
}
