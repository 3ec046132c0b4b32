import { useApp, useObservableValue } from "../store/app-context.ts";
import { sanitize } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import { Icon } from "./icon.tsx";
import { TextWithCode } from "./text/text-with-code.tsx";
import type { ReactNode } from "react";
import type { FieldDiagnostic } from "../settings/modes/draft-diagnostics.ts";

/** Tells that the daemon is not reachable. What is drawn stays, and nothing can be answered. */
export function Banner() {
  const { link } = useApp();
  const state = useObservableValue(link.state);
  if (state.kind !== "lost") return undefined;
  return (
    <div className="banner" role="status">
      <Icon name="debug-disconnect" />
      <span>
        <b>Reconnecting …</b> The daemon is not reachable since {new Date(state.since).toLocaleTimeString("en-GB")}. Nothing is lost: drafts
        are kept, and you can answer after the page has reconnected.{" "}
        {state.problem === undefined ? undefined : <TextWithCode text={sanitize(state.problem)} />}
        {link.connect ? undefined : (
          <>
            {" "}
            <code>baton web</code> starts it.
          </>
        )}
      </span>
      {link.connect ? (
        <button type="button" className="btn small r" onClick={link.connect}>
          Start it
        </button>
      ) : undefined}
    </div>
  );
}

export function StalledBanner({ message }: { message: string }) {
  return (
    <div className="banner" role="status">
      <Icon name="info" />
      <span>
        <TextWithCode text={sanitize(message)} />
      </span>
    </div>
  );
}

/**
 * A message about an error or a lost race, until the user closes it. It covers the top of the scroller, so that nothing
 * moves.
 */
export function NoticeBanner() {
  const { notice } = useApp();
  const current = useObservableValue(notice);
  return (
    <div role="status" className="noticeplace">
      {current === undefined ? undefined : (
        <div className="queued notice">
          <Icon name="info" small />
          <span>
            <TextWithCode text={sanitize(current.text)} />
          </span>
          <button type="button" className="btn quiet small icon r" aria-label="Close this message" onClick={() => notice.set(undefined)}>
            <Icon name="close" small />
          </button>
        </div>
      )}
    </div>
  );
}

/** An error, its meaning and the next step. `passing` is for an error that Baton retries. */
export function ErrorNotice({ title, passing = false, children }: { title: string; passing?: boolean; children?: ReactNode }) {
  return (
    <div className={`fault${passing ? " note-only" : ""}`}>
      <Icon name={passing ? "info" : "close"} />
      <b className="strong">{title}</b>
      {children === undefined ? undefined : <span className="soft">{children}</span>}
    </div>
  );
}

type Props = { connected: boolean; busy: boolean; fixed: boolean; diagnostics: readonly FieldDiagnostic[] };

/** The status of a form, next to its buttons. */
export function FormStatus({ connected, busy, fixed, diagnostics }: Props) {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const text = () => {
    if (!connected) return "Not connected. Your changes stay here.";
    if (busy) return "Saving";
    if (errors > 0) return `${formatCount(errors, "error")} to fix`;
    return fixed ? "" : "checked while you type";
  };
  return (
    <span className={connected && errors > 0 ? "fail-ink r" : "dim r"} role="status">
      {text()}
    </span>
  );
}
