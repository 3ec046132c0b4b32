/** The page has no valid token. */
export function Unauthorized({ had }: { had: boolean }) {
  return (
    <main className="closed">
      <div className="pane">
        <h1>{had ? "You are signed out" : "Open this page from the terminal"}</h1>
        <p>
          {had
            ? "The token of this page has expired. Your sessions continue, and nothing is lost."
            : "This keeps other users of this machine out. A link works once, within a minute."}
        </p>
        <ol className="steps">
          <li>
            <span>
              Run <code>baton web</code>: it prints a link and opens it.
            </span>
          </li>
          <li>
            <span>
              If that fails, run <code>baton doctor</code>
            </span>
          </li>
        </ol>
      </div>
    </main>
  );
}
