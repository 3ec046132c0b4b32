import { PROTOCOL } from "@baton/core/protocol/version";
import type { DaemonStatus } from "../store/daemon-data.ts";

/** The daemon was replaced by one that speaks otherwise: this page is of before. */
export function VersionMismatch({ status: { version, protocol } }: { status: DaemonStatus }) {
  const newer = protocol > PROTOCOL;
  return (
    <main className="closed">
      <div className="pane">
        <h1>The daemon is of another version</h1>
        <p>
          Baton {version} runs now, and this page is {newer ? "older" : "newer"} than it. Your sessions go on; drafts are kept.
        </p>
        <ol className="steps">
          <li>
            <span>
              <button type="button" className="btn solid" onClick={() => location.reload()}>
                Load the page anew
              </button>
            </span>
          </li>
          <li>
            <span>
              If this comes again: <code>baton daemon restart</code>, then <code>baton web</code>
            </span>
          </li>
        </ol>
      </div>
    </main>
  );
}
