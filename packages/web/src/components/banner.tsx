import { useApp, useObservableValue } from "../store/app-context.ts";
import { sanitize } from "@baton/core/text/sanitize";
import { countNoun } from "@baton/core/text/format";
import { Icon } from "./icon.tsx";
import { InlineCode } from "./text/inline-code.tsx";

/** That the daemon cannot be reached: what is drawn stays, nothing is answered, it goes on by itself. */
export function Banner({ seq }: { seq: number | undefined }) {
  const { link } = useApp();
  const state = useObservableValue(link.state);
  if (state.kind !== "lost") return undefined;
  return (
    <div className="banner" role="status">
      <Icon name="debug-disconnect" />
      <span>
        <b>Daemon not reachable since {new Date(state.since).toLocaleTimeString("en-GB")}.</b>{" "}
        {seq === undefined ? "Answers" : `Complete up to event ${countNoun(seq)}; answers`} wait, drafts are kept.{" "}
        {state.problem === undefined ? "It goes on by itself." : <InlineCode text={sanitize(state.problem)} />}
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

export function Stalled({ message }: { message: string }) {
  return (
    <div className="banner" role="status">
      <Icon name="info" />
      <span>
        <InlineCode text={sanitize(message)} />
      </span>
    </div>
  );
}

/** What went wrong, or came second: until it is taken note of. It lies over the top of the scroller, so that it moves nothing. */
export function Notice() {
  const { notice } = useApp();
  const said = useObservableValue(notice);
  return (
    <div role="status" className="noticeplace">
      {said === undefined ? undefined : (
        <div className="queued notice">
          <Icon name="info" small />
          <span>
            <InlineCode text={sanitize(said.text)} />
          </span>
          <button type="button" className="btn quiet small icon r" aria-label="Close this message" onClick={() => notice.set(undefined)}>
            <Icon name="close" small />
          </button>
        </div>
      )}
    </div>
  );
}
