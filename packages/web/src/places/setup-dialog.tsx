import { errorMessage } from "@baton/core/client/errors";
import { escapeInvisible, sanitize } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected } from "../store/app-context.ts";
import type { Place } from "../store/places.ts";
import { useQuery } from "../store/use-query.ts";
import { Dialog } from "../components/dialog.tsx";
import { Ring } from "../components/icon.tsx";
import { InlineCode } from "../components/text/inline-code.tsx";

/** Shows the commands with which the repository prepares its places, and runs them after the user has approved them. */
export function SetupDialog({ place, onClose }: { place: Place; onClose: () => void }) {
  const { link } = useApp();
  const connected = useConnected();
  const { id, name, prepared } = place;
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const fail = (error: unknown) => setProblem(errorMessage(error));
  const { data: setup } = useQuery((signal) => link.api.place.setup.query({ place: id }, { signal }), [link, id], { onError: fail });
  const commands = setup && "hash" in setup ? setup : undefined;
  const run = async (hash: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { message } = await link.api.place.prepare.mutate({ place: id, hash, approve: true });
      if (message !== null) setProblem(message);
      setDone(true);
    } catch (error) {
      fail(error);
    }
    setBusy(false);
  };
  const wrong = problem ?? (setup && "problem" in setup ? setup.problem : undefined);
  return (
    <Dialog title={`Set up the place ${name}`} onClose={onClose}>
      {setup === null ? <p>The repository has no setup for places.</p> : undefined}
      {commands ? (
        <>
          <p>
            {commands.approved
              ? "You have approved these commands. They run in every new place until they change."
              : "Read the commands. If you approve them, they run now and in every new place until they change."}{" "}
            They come from <code>{sanitize(commands.file)}</code>.
          </p>
          <Commands label="Setup" commands={commands.setup} />
          {commands.teardown.length > 0 ? (
            <>
              <p>These run before a place is removed:</p>
              <Commands label="Teardown" commands={commands.teardown} />
            </>
          ) : undefined}
        </>
      ) : undefined}
      <div role="status">
        {busy ? (
          <span className="row">
            <Ring /> Running the setup …
          </span>
        ) : undefined}
        {done && problem === undefined ? "The setup has run." : undefined}
      </div>
      {wrong === undefined ? undefined : (
        <p role="alert" className="fail-ink">
          <InlineCode text={sanitize(wrong)} />
        </p>
      )}
      {done && prepared && prepared.output !== "" ? (
        <pre className="exact" tabIndex={0} aria-label="Output">
          {sanitize(prepared.output)}
        </pre>
      ) : undefined}
      <p className="row">
        {commands && !(done && problem === undefined) ? (
          <button type="button" className="btn solid" disabled={!connected || busy} onClick={() => void run(commands.hash)}>
            {commands.approved ? "Run the setup" : "Approve and run"}
          </button>
        ) : undefined}
        <button type="button" className="btn quiet" onClick={onClose}>
          {done ? "Close" : "Not now"}
        </button>
      </p>
    </Dialog>
  );
}

const Commands = ({ label, commands }: { label: string; commands: readonly string[] }) => (
  <pre className="exact" tabIndex={0} role="group" aria-label={label}>
    {commands.map((command) => escapeInvisible(command.trimEnd())).join("\n")}
  </pre>
);
