import { exact } from "@baton/core/text/clean";
import { count } from "@baton/core/text/words";
import { useApp, useWatched } from "../store/app.ts";
import { Fault } from "./fault.tsx";
import { baseOf } from "./words.ts";

const SHOWN = 3;

/** What of the settings cannot be read: it does not count, which a person may wonder at here. */
export function ConfigFaults() {
  const status = useWatched(useApp().lists.status);
  const faults = (status?.diagnostics ?? []).filter(({ severity }) => severity === "error");
  if (faults.length === 0) return undefined;
  return (
    <Fault title={`${count(faults.length, "fault")} in your settings`}>
      {faults.slice(0, SHOWN).map(({ file, line, message }) => (
        <span key={`${file}:${line} ${message}`} title={exact(file)}>
          <code>
            {baseOf(file)}:{line}
          </code>{" "}
          {exact(message)}{" "}
        </span>
      ))}
      {faults.length > SHOWN ? "All of them: " : ""}
      {faults.length > SHOWN ? <code>baton doctor</code> : undefined}
    </Fault>
  );
}
