import { escapeInvisible, sanitize } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp } from "../store/app-context.ts";
import type { Place } from "../store/data/place-folders.ts";
import { useQuery } from "../store/data/use-query.ts";
import { PlaceDialogFrame, useDialogWork } from "./place-dialog-frame.tsx";

/** Shows the commands with which the repository prepares its places, and runs them after the user has approved them. */
export function SetupDialog({ place, onClose }: { place: Place; onClose: () => void }) {
  const { link } = useApp();
  const { id, name, prepared } = place;
  const { busy, problem, fail, during } = useDialogWork();
  const [done, setDone] = useState(false);
  const { data: setup } = useQuery((signal) => link.api.place.setup.query({ place: id }, { signal }), [link, id], { onError: fail });
  const commands = setup && "hash" in setup ? setup : undefined;
  const run = (hash: string) =>
    during(async () => {
      const { message } = await link.api.place.prepare.mutate({ place: id, hash, approve: true });
      if (message !== null) fail(message);
      setDone(true);
    });
  const succeeded = done && problem === undefined;
  return (
    <PlaceDialogFrame
      title={`Set up the place ${name}`}
      progress={busy ? "Running the setup …" : undefined}
      outcome={succeeded ? "The setup has run." : undefined}
      problem={problem ?? (setup && "problem" in setup ? setup.problem : undefined)}
      action={
        commands && !succeeded
          ? { label: commands.approved ? "Run the setup" : "Approve and run", disabled: busy, run: () => void run(commands.hash) }
          : undefined
      }
      closeLabel={done ? "Close" : "Not now"}
      onClose={onClose}
      details={
        done && prepared && prepared.output !== "" ? (
          <pre className="exact" tabIndex={0} aria-label="Output">
            {sanitize(prepared.output)}
          </pre>
        ) : undefined
      }
    >
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
    </PlaceDialogFrame>
  );
}

const Commands = ({ label, commands }: { label: string; commands: readonly string[] }) => (
  <pre className="exact" tabIndex={0} role="group" aria-label={label}>
    {commands.map((command) => escapeInvisible(command.trimEnd())).join("\n")}
  </pre>
);
