import { escapeInvisible } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import { useEffect } from "react";
import { useApp, useObservableValue } from "../store/app-context.ts";
import { ErrorNotice } from "./banner.tsx";
import { baseName } from "./text/strings.ts";

const SHOWN = 3;

/** Shows errors in the config, because Baton ignores invalid settings. */
export function ConfigErrors() {
  const { lists } = useApp();
  const status = useObservableValue(lists.status);
  useEffect(() => {
    const refresh = () => void lists.refresh().catch(() => undefined); // asked again at the next connection
    if (lists.status.get()) refresh(); // the status may be old
    addEventListener("focus", refresh); // the user may have fixed the config in the meantime
    return () => removeEventListener("focus", refresh);
  }, [lists]);
  const errors = (status?.diagnostics ?? []).filter(({ severity }) => severity === "error");
  if (errors.length === 0) return undefined;
  return (
    <ErrorNotice title={`${formatCount(errors.length, "error")} in your config`}>
      {errors.slice(0, SHOWN).map(({ file, line, message }) => (
        <span key={`${file}:${line} ${message}`} className="each" title={escapeInvisible(file)}>
          <code>
            {baseName(file)}:{line}
          </code>{" "}
          {escapeInvisible(message)}{" "}
        </span>
      ))}
      {errors.length > SHOWN ? "All of them: " : ""}
      {errors.length > SHOWN ? <code>baton doctor</code> : undefined}
    </ErrorNotice>
  );
}
