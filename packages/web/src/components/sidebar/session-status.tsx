import type { SessionRow } from "@baton/core/session/session-list";
import { NeedsYouIcon, Icon, WorkingIcon } from "../icon.tsx";

const WORDS: Record<SessionRow["status"], string> = {
  waiting: "needs you",
  working: "working",
  failed: "failed",
  unknown: "outcome unknown",
  idle: "done",
};

/** The status of a session as a shape, with a label for screen readers. */
export function SessionStatus({ status, unread = false }: { status: SessionRow["status"]; unread?: boolean }) {
  const words = unread ? `${WORDS[status]}, unread` : WORDS[status];
  return (
    <span className="row" title={words}>
      {unread && status === "idle" ? <i aria-hidden="true" className="i i-unread" /> : <Glyph status={status} />}
      <span className="vh">{words}</span>
    </span>
  );
}

function Glyph({ status }: { status: SessionRow["status"] }) {
  switch (status) {
    case "waiting":
      return <NeedsYouIcon className="st-wait" />;
    case "working":
      return <WorkingIcon />;
    case "failed":
      return <Icon name="close" className="st-fail" />;
    case "unknown":
      return <Icon name="question" className="st-unknown" />;
    case "idle":
      return <i aria-hidden="true" className="i" />;
  }
}
