import { errorMessage } from "@baton/core/client/rpc-errors";
import { formatCount } from "@baton/core/text/format";
import { oneLine, sanitize } from "@baton/core/text/sanitize";
import { useState } from "react";
import type { Api } from "../connection/connection-types.ts";
import { useApp, useConnected } from "../store/app-context.ts";
import type { Place } from "../store/data/place-folders.ts";
import { useQuery } from "../store/data/use-query.ts";
import { Dialog } from "../components/dialog.tsx";
import { TextWithCode } from "../components/text/text-with-code.tsx";
import { baseName } from "../components/text/strings.ts";
import { revertAppliedChanges } from "./revert-applied-changes.ts";

type Report = Awaited<ReturnType<Api["place"]["applyPlan"]["query"]>>;
type FilePlan = Report["files"][number];

/** Shows file by file what applying a place to its source folder would do, applies it, and takes it back. */
export function ApplyDialog({ place, onClose }: { place: Place; onClose: () => void }) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const { id, name, checkout } = place;
  const target = oneLine(baseName(checkout));
  const [problem, setProblem] = useState<string>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [conflicts, setConflicts] = useState<"skip" | "mark">("skip");
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<Pick<Report, "applied" | "left">>();
  const fail = (error: unknown) => setProblem(errorMessage(error));
  const { data: plan } = useQuery((signal) => link.api.place.applyPlan.query({ place: id }, { signal }), [link, id], { onError: fail });
  const files = plan?.files ?? [];
  const chosen = files.filter(({ path }) => !left.has(path));
  const hasConflict = chosen.some(({ action }) => action === "conflict");
  const writes = chosen.filter(({ action }) => action === "write" || action === "merge" || (action === "conflict" && conflicts === "mark"));
  const during = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    await work().catch(fail);
    setBusy(false);
  };
  const apply = () =>
    during(async () => {
      const paths = left.size === 0 ? {} : { paths: chosen.map(({ path }) => path) };
      setDone(await link.api.place.applyChanges.mutate({ place: id, conflicts: hasConflict ? conflicts : "stop", ...paths }));
    });
  const undo = () =>
    during(async () => {
      tell(await revertAppliedChanges(link.api, place));
      onClose();
    });
  return (
    <Dialog title={`Apply ${name} to ${target}`} onClose={onClose}>
      {done ? (
        <>
          <p role="status">
            {formatCount(done.applied.length, "file")} in {target} now {done.applied.length === 1 ? "has" : "have"} the changes of the
            place.
          </p>
          {done.left.length === 0 ? undefined : (
            <ul className="applyplan" aria-label="Not applied">
              {done.left.map(({ path, why }) => (
                <li key={path} className="row">
                  <code className="cut">{oneLine(path)}</code> <span className="dim">{oneLine(why)}</span>
                </li>
              ))}
            </ul>
          )}
        </>
      ) : (
        <>
          {plan === undefined && problem === undefined ? <p role="status">Comparing the files …</p> : undefined}
          {plan && files.length === 0 ? <p role="status">The place has no changes since its base.</p> : undefined}
          <ul className="applyplan" aria-label="Files">
            {files.map((file) => (
              <li key={file.path}>
                <label className="row">
                  <input
                    type="checkbox"
                    checked={!left.has(file.path)}
                    onChange={() => setLeft(left.has(file.path) ? without(left, file.path) : new Set([...left, file.path]))}
                  />
                  <code className="cut" title={sanitize(file.path)}>
                    {oneLine(file.path)}
                  </code>
                </label>
                <span className={file.action === "conflict" ? "attn-ink" : "dim"}>{planText(file)}</span>
              </li>
            ))}
          </ul>
          {hasConflict ? (
            <fieldset className="conflicts">
              <legend>Both sides changed the same lines of some files</legend>
              <label className="row">
                <input type="radio" name="conflicts" checked={conflicts === "skip"} onChange={() => setConflicts("skip")} /> Leave these
                files out
              </label>
              <label className="row">
                <input type="radio" name="conflicts" checked={conflicts === "mark"} onChange={() => setConflicts("mark")} /> Write conflict
                markers into them
              </label>
            </fieldset>
          ) : undefined}
        </>
      )}
      {problem === undefined ? undefined : (
        <p role="alert" className="fail-ink">
          <TextWithCode text={sanitize(problem)} />
        </p>
      )}
      <p className="row wrap">
        {done ? (
          <button type="button" className="btn" disabled={!connected || busy || done.applied.length === 0} onClick={() => void undo()}>
            Take back
          </button>
        ) : (
          <button type="button" className="btn solid" disabled={!connected || busy || writes.length === 0} onClick={() => void apply()}>
            {plan ? `Apply ${formatCount(writes.length, "file")}` : "Apply"}
          </button>
        )}
        <button type="button" className="btn quiet" onClick={onClose}>
          {done ? "Close" : "Cancel"}
        </button>
      </p>
    </Dialog>
  );
}

const without = (set: ReadonlySet<string>, path: string): ReadonlySet<string> => new Set([...set].filter((each) => each !== path));

/** The outcome for a file, in one or a few words. */
function planText({ action, why }: FilePlan): string {
  const reason = why === undefined ? "" : `: ${oneLine(why)}`;
  switch (action) {
    case "write":
      return "write";
    case "same":
      return "already the same";
    case "merge":
      return "merge";
    case "conflict":
      return `conflict${reason}`;
    case "skip":
      return `skip${reason}`;
  }
}
