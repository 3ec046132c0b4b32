/** The page has no token, or one that is not taken any more. */
export function Unauthorized({ had }: { had: boolean }) {
  return (
    <main className="closed">
      <div className="pane">
        <h1>{had ? "This page is not let in any more" : "This page has to be opened from the terminal"}</h1>
        <p>
          {had
            ? "Its key was used up or taken back. Your sessions go on; nothing is lost."
            : "So nobody else on this machine gets in. An address works once, within a minute."}
        </p>
        <ol className="steps">
          <li>
            <span>
              Run <code>baton web</code>: it prints an address and opens it.
            </span>
          </li>
          <li>
            <span>
              If it does not: <code>baton doctor</code>
            </span>
          </li>
        </ol>
      </div>
    </main>
  );
}
