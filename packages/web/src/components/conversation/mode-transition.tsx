import type { TransitionEntry } from "@baton/core/session/transcript/entry";
import { oneLine } from "@baton/core/text/sanitize";
import { ModeName } from "../composer/mode-name.tsx";
import { formatTime } from "@baton/core/text/format";

/** A mode change as a thin line: from, to, origin, time and reason. */
export function Transition({ entry }: { entry: TransitionEntry }) {
  const { from, to, reason, at } = entry;
  const why = oneLine(reason ?? "");
  return (
    <div className="transition" role="note" aria-label={`Mode changed from ${oneLine(from)} to ${oneLine(to)}`}>
      <ModeName slug={from} />
      <span className="arrow" aria-hidden="true">
        →
      </span>
      <ModeName slug={to} />
      <span className="nowrap">
        {originText(entry)} · {formatTime(at)}
      </span>
      {why === "" ? undefined : (
        <span className="cut" title={why}>
          {why}
        </span>
      )}
    </div>
  );
}

/** How each origin is shown. */
const HOW: Record<TransitionEntry["origin"], string> = {
  user: "you",
  switch_mode: "the agent, with switch_mode",
  coordination: "coordination",
  enter_plan: "the agent, with enter_plan",
  exit_plan: "the agent, with exit_plan",
  configuration: "for configuration",
  equip: "for a missing tool",
  delegate: "handoff",
  restore: "back to the previous mode",
};

function originText({ origin, by }: TransitionEntry): string {
  if (!("person" in by) || origin === "user" || origin === "restore") return HOW[origin];
  return origin.includes("_") ? `you, with ${origin}` : `you, ${HOW[origin].replace(/^coordination$/, "as coordination proposed")}`;
}
