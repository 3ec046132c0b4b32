import { formatCount } from "@baton/core/text/format";
import type { FieldFault } from "./use-faults.ts";

type Props = { connected: boolean; busy: boolean; fixed: boolean; faults: readonly FieldFault[] };

/** How it stands with a form, in a few words beside its buttons. */
export function FormStatus({ connected, busy, fixed, faults }: Props) {
  const errors = faults.filter(({ severity }) => severity === "error").length;
  const text = () => {
    if (!connected) return "Not connected: it is kept here.";
    if (busy) return "Saving";
    if (errors > 0) return `${formatCount(errors, "fault")} to mend`;
    return fixed ? "" : "checked as you type";
  };
  return (
    <span className={connected && errors > 0 ? "fail-ink r" : "dim r"} role="status">
      {text()}
    </span>
  );
}
