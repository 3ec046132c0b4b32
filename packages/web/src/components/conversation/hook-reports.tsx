import type { HookReport } from "@baton/core/protocol/hook";
import { oneLine } from "@baton/core/text/sanitize";

/** The words of hooks about a call or a prompt. */
export const HookReports = ({ hooks = [] }: { hooks?: readonly HookReport[] | undefined }) => (
  <>
    {hooks.map(({ text, isProblem, source }, i) => (
      <p key={`${source} ${i}`} className={isProblem ? "hook-report problem" : "hook-report"} dir="auto">
        {oneLine(text)}
      </p>
    ))}
  </>
);
