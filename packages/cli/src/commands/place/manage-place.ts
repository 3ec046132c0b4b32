import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import { escapeInvisible } from "@baton/core/text/sanitize";
import { confirm } from "../terminal-prompts.ts";
import { EXIT_CODES, CommandExit } from "../../connection/exit-codes.ts";
import { printJson, printLines } from "../output.ts";
import { findOrCreatePlace, placeSentence, type Place } from "./find-or-create-place.ts";

/** Names a place. Names are unique in a repository only, so the current folder decides between equal ones. */
export const placeReference = (place: string): { place: string; cwd: string } => ({ place, cwd: process.cwd() });

export type ChangeOptions = { json?: boolean };

const change = (run: (api: Api) => Promise<Place>, say: (place: Place) => string[], { json = false }: ChangeOptions): Promise<void> =>
  withConnection(async ({ api }) => {
    const place = await run(api);
    if (json) printJson(place);
    else printLines(say(place));
  });

/** Creates a place without a session. */
export const createPlace = (name: string | undefined, { base, ...options }: ChangeOptions & { base?: string }): Promise<void> =>
  change(
    (api) => findOrCreatePlace(api, resolveWorkspace(), { place: name ?? true, base }, { ask: process.stdin.isTTY }),
    (place) => [placeSentence(place), place.workspace],
    options,
  );

/** Runs the setup of a place. Without an approval it shows the commands and asks; `yes` approves them. */
export async function preparePlace(name: string, { yes = false, ...options }: ChangeOptions & { yes?: boolean }): Promise<void> {
  await change(
    async (api) => {
      const setup = await api.place.setup.query(placeReference(name));
      if (!setup)
        throw new CommandExit(
          "The repository has no setup for places. `baton help parallel-work` names the files that Baton reads.",
          EXIT_CODES.usage,
        );
      if ("problem" in setup) throw new CommandExit(setup.problem, EXIT_CODES.usage);
      const lines = [...setup.setup, ...setup.teardown].flatMap((command) => command.trimEnd().split("\n"));
      if (!setup.approved) process.stderr.write(`${[`${setup.file}:`, ...lines.map((line) => `  ${escapeInvisible(line)}`)].join("\n")}\n`);
      const approve =
        setup.approved ||
        yes ||
        (process.stdin.isTTY && (await confirm("Run this in every new place of the repository, until it changes?")));
      if (!approve) throw new CommandExit("The setup was not run. Pass --yes to approve it.", EXIT_CODES.usage);
      return api.place.prepare.mutate({ ...placeReference(name), hash: setup.hash, approve });
    },
    ({ prepared, message }) => [...(prepared?.output.trimEnd().split("\n") ?? []), message ?? `Prepared ${name}.`],
    options,
  );
}

export const savePlace = (name: string, options: ChangeOptions): Promise<void> =>
  change(
    (api) => api.place.save.mutate(placeReference(name)),
    ({ snapshot }) => [
      `Saved everything in ${name} as ${snapshot?.commit.slice(0, 10) ?? ""} (${snapshot?.ref ?? ""}).`,
      ...leftOutLines(snapshot?.leftOut),
    ],
    options,
  );

/** Asks first in a terminal, because the folder goes. Its content stays in a snapshot. */
export async function removePlace(name: string, { yes = false, ...options }: ChangeOptions & { yes?: boolean }): Promise<void> {
  if (!yes && process.stdin.isTTY && !(await confirm(`Save everything in the place ${name}, then remove its folder?`)))
    throw new CommandExit("Nothing was removed.", EXIT_CODES.failed);
  await change(
    (api) => api.place.remove.mutate(placeReference(name)),
    ({ snapshot, message }) => [
      `Removed ${name}. \`baton places restore ${name}\` brings it back${snapshot ? ` (${snapshot.ref})` : ""}.`,
      ...(message ? [`${message}.`] : []),
      ...leftOutLines(snapshot?.leftOut),
    ],
    options,
  );
}

const leftOutLines = (leftOut: readonly string[] = []): string[] =>
  leftOut.length === 0 ? [] : [`The snapshot leaves out: ${leftOut.join(", ")}.`];

export const restorePlace = (name: string, options: ChangeOptions): Promise<void> =>
  change(
    (api) => api.place.restore.mutate(placeReference(name)),
    (place) => [`Restored ${name}.${place.message ? ` ${place.message}.` : ""}`, place.workspace],
    options,
  );

export const repairPlace = (name: string, options: ChangeOptions): Promise<void> =>
  change(
    (api) => api.place.repair.mutate(placeReference(name)),
    ({ status }) => [`Finished the interrupted step. ${name} is ${status}.`],
    options,
  );
