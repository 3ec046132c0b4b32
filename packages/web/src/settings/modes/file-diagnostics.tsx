import { escapeInvisible } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import { Fragment, useState } from "react";
import { Icon } from "../../components/icon.tsx";
import { fileIn, isFaulty } from "./mode-labels.ts";
import type { Diagnostic, ModeListResponse } from "./use-modes.ts";

const SHOWN = 4;

/** Diagnostics of mode files, errors first. */
export function FileDiagnostics({ modeList: { modes, diagnostics }, cwd }: { modeList: ModeListResponse; cwd: string }) {
  const [all, setAll] = useState(false);
  if (diagnostics.length === 0) return undefined;
  const sorted = diagnostics.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]);
  const held = modes.filter((mode) => isFaulty(mode, diagnostics) && !mode.inert);
  const heldBy = ({ severity, file, slug }: Diagnostic) =>
    severity === "error" ? held.find((mode) => mode.filePath === file && (slug === undefined || slug === mode.slug)) : undefined;
  return (
    <section className="card diag" aria-label="Problems in mode files">
      {sorted.slice(0, all ? sorted.length : SHOWN).map((each, i) => (
        <Fragment key={i}>
          <Icon name={ICONS[each.severity]} small className={each.severity === "error" ? "" : "i-info"} />
          <p>
            <b title={escapeInvisible(each.file)}>
              {escapeInvisible(fileIn(cwd, each.file))}:{each.line}:{each.column}
            </b>{" "}
            <span className="mono">{each.code}</span> {escapeInvisible(each.message)}{" "}
            {each.fix === undefined ? "" : escapeInvisible(each.fix)}{" "}
            {heldBy(each) ? (
              <>
                The last good version of <b>{heldBy(each)?.slug}</b> stays in use.
              </>
            ) : undefined}
          </p>
        </Fragment>
      ))}
      {all || sorted.length <= SHOWN ? undefined : (
        <button type="button" className="btn small quiet" onClick={() => setAll(true)}>
          {formatCount(sorted.length - SHOWN, "more thing", "more things")} to show
        </button>
      )}
    </section>
  );
}

const RANK = { error: 0, warning: 1, info: 2 };
const ICONS = { error: "warning", warning: "warning", info: "info" };
