import { escapeInvisible } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import { useEffect } from "react";
import { useApp, useObservableValue } from "../store/app-context.ts";
import { ErrorNotice } from "./banner.tsx";
import { baseName } from "./text/format.ts";

const SHOWN = 3;

/** Shows errors in the config, because Baton ignores invalid settings. */
export function ConfigFaults() {
  const { lists } = useApp();
  const status = useObservableValue(lists.status);
  useEffect(() => {
    const look = () => void lists.refresh().catch(() => undefined); // asked again at the next connection
    if (lists.status.get()) look(); // the status may be old
    addEventListener("focus", look); // the user may have fixed the config in the meantime
    return () => removeEventListener("focus", look);
  }, [lists]);
  const faults = (status?.diagnostics ?? []).filter(({ severity }) => severity === "error");
  if (faults.length === 0) return undefined;
  return (
    <ErrorNotice title={`${formatCount(faults.length, "error")} in your config`}>
      {faults.slice(0, SHOWN).map(({ file, line, message }) => (
        <span key={`${file}:${line} ${message}`} className="each" title={escapeInvisible(file)}>
          <code>
            {baseName(file)}:{line}
          </code>{" "}
          {escapeInvisible(message)}{" "}
        </span>
      ))}
      {faults.length > SHOWN ? "All of them: " : ""}
      {faults.length > SHOWN ? <code>baton doctor</code> : undefined}
    </ErrorNotice>
  );
}
