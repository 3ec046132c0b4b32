import { backgroundStatusText, type BackgroundCommand } from "@baton/core/session/background-command";
import type { SessionState } from "@baton/core/session/state";
import { oneLine, sanitize } from "@baton/core/text/sanitize";
import { Suspense, useEffect, useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import { Dialog } from "../dialog.tsx";
import { lazyComponent } from "../lazy-component.tsx";

const CommandTerminal = lazyComponent(async () => (await import("./terminal/command-terminal.tsx")).CommandTerminal);

/** The background commands of a session, newest first. */
export function useBackgroundCommands(id: string, processes: SessionState["processes"]): readonly BackgroundCommand[] {
  const { link, tell } = useApp();
  const connected = useConnected();
  const running = processes.map(({ processId }) => processId).join(" ");
  const list = () => link.api.command.list.query({ sessionId: id });
  const { data: rows = NO_ROWS } = useQuery(connected ? list : undefined, [link, id, running], { onError: tell });
  return rows;
}

const NO_ROWS: readonly never[] = [];

/** Background commands, with their output on demand and a stop. */
export const BackgroundCommands = ({ rows }: { rows: readonly BackgroundCommand[] }) => (
  <ul className="background">
    {rows.map((row) => (
      <Row key={row.id} row={row} />
    ))}
  </ul>
);

function Row({ row }: { row: BackgroundCommand }) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const [open, setOpen] = useState(false);
  const { sessionId, id, status, exitCode } = row;
  const command = oneLine(row.command);
  const bad = status === "unknown" || (status === "exited" && exitCode !== 0);
  const stop = () => void link.api.command.stop.mutate({ sessionId, id }).catch(tell);
  const name = (
    <>
      <code className="cut" title={command}>
        {command}
      </code>
      <span className={bad ? "bad" : "dim"}>{backgroundStatusText(row)}</span>
    </>
  );
  return (
    <li>
      {row.terminal ? (
        <div className="named">{name}</div>
      ) : (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{name}</summary>
          {open ? <LiveOutput sessionId={sessionId} id={id} /> : undefined}
        </details>
      )}
      <div className="row">
        {row.terminal ? (
          <button type="button" className="btn small" aria-label={`Open the terminal of ${command}`} onClick={() => setOpen(true)}>
            Open
          </button>
        ) : undefined}
        {status === "running" ? (
          <button type="button" className="btn small" aria-label={`Stop ${command}`} disabled={!connected} onClick={stop}>
            Stop
          </button>
        ) : undefined}
      </div>
      {row.terminal && open ? <TerminalDialog row={row} onClose={() => setOpen(false)} /> : undefined}
    </li>
  );
}

/** The terminal of a command. Escape goes to the program. */
function TerminalDialog({ row, onClose }: { row: BackgroundCommand; onClose: () => void }) {
  const command = oneLine(row.command);
  return (
    <Dialog title={command} wide onClose={onClose}>
      <Suspense fallback={<p className="dim">Loading …</p>}>
        <CommandTerminal sessionId={row.sessionId} id={row.id} command={command} />
      </Suspense>
      <form method="dialog" className="row">
        <span className="dim">Ctrl+] closes the terminal. The command continues.</span>
        <button className="btn r">Close</button>
      </form>
    </Dialog>
  );
}

/** The page shows the newest part of an output. */
const MAX_SHOWN = 32_768;

function LiveOutput({ sessionId, id }: { sessionId: string; id: string }) {
  const { link } = useApp();
  const [output, setOutput] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setOutput(undefined);
    const subscription = link.api.command.follow.subscribe(
      { sessionId, id },
      {
        onData: ({ data: { text } }) => setOutput((before = "") => (before + sanitize(text)).slice(-MAX_SHOWN)),
        onError: ({ message }) => setProblem(message),
      },
    );
    return () => subscription.unsubscribe();
  }, [link, sessionId, id]);
  if (problem !== undefined) return <p className="dim">{oneLine(problem)}</p>;
  return (
    <div className="term">
      <pre className="whole" tabIndex={0} role="group" aria-label="Output" aria-busy={output === undefined}>
        {output === "" ? "No output yet" : (output ?? "Loading …")}
      </pre>
    </div>
  );
}
