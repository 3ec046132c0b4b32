import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { Api } from "../../connection/daemon-connection.ts";
import { escapeInvisible } from "@baton/core/text/sanitize";
import { confirm } from "../terminal-prompts.ts";
import { usageError } from "../../connection/exit-codes.ts";

export type Place = Awaited<ReturnType<Api["place"]["list"]["query"]>>[number];

/** Which place the user wants: a new one (`true`, with a name that Baton chooses), or one by its name or a pull request (`#123`). */
type PlaceChoice = { place: string | true; base?: string | undefined; group?: string | undefined };

const PULL_REQUEST = /^#\d+$|^https:\/\/\S+\/pull\/\d+/;

/** The place of this name, opened again if it was removed, or a new one with its setup. `ask`: whether the user can be asked about it. */
export async function findOrCreatePlace(api: Api, workspace: string, choice: PlaceChoice, { ask }: { ask: boolean }): Promise<Place> {
  const place = await findOrCreate(api, workspace, choice);
  return place.prepared === null ? prepareNew(api, place, ask) : place;
}

/** Runs the setup of a new place after the user has seen its commands, unless they were approved before. */
async function prepareNew(api: Api, place: Place, ask: boolean): Promise<Place> {
  const setup = await api.place.setup.query({ place: place.id });
  if (!setup) return place;
  const say = (lines: readonly string[]) => void process.stderr.write(`${lines.join("\n")}\n`);
  if ("problem" in setup) say([`${setup.problem}. The place was not prepared.`]);
  if ("problem" in setup || setup.approved) return place;
  say([
    `${setup.file} prepares new places with:`,
    ...setup.setup.flatMap((command) => command.trimEnd().split("\n")).map((line) => `  ${escapeInvisible(line)}`),
  ]);
  if (setup.teardown.length > 0)
    say(["Before a place is removed, it runs:", ...setup.teardown.map((line) => `  ${escapeInvisible(line)}`)]);
  if (!ask || !(await confirm("Run this in every new place of the repository, until it changes?"))) {
    say([`The setup was not run. \`baton places prepare ${place.name}\` runs it.`]);
    return place;
  }
  return api.place.prepare.mutate({ place: place.id, hash: setup.hash, approve: true });
}

async function findOrCreate(api: Api, workspace: string, { place, base, group }: PlaceChoice): Promise<Place> {
  const isPullRequest = place !== true && PULL_REQUEST.test(place);
  const known = place === true || isPullRequest ? undefined : await findPlace(api, workspace, place);
  if (known) {
    if (base !== undefined)
      throw usageError(`The place ${known.name} exists already, so --base has no meaning. Leave it out, or choose another name.`);
    return known.status === "removed" ? api.place.restore.mutate({ place: known.id }) : known;
  }
  if (isPullRequest && base !== undefined) throw usageError("A pull request is the base of its place. Leave --base out.");
  return api.place.create.mutate({
    cwd: workspace,
    ...(place === true || isPullRequest ? {} : { name: place }),
    ...(isPullRequest ? { base: place } : base === undefined ? {} : { base }),
    ...omitUndefined({ group }),
  });
}

async function findPlace(api: Api, cwd: string, name: string): Promise<Place | undefined> {
  return (await api.place.list.query({ cwd })).find((place) => place.name === name);
}

/** A sentence about a place that a session starts in. */
export const placeSentence = ({ name, branch, base, message }: Place): string =>
  `Place ${name}: ${branch === null ? "no branch" : `branch ${branch}`}, based on ${base}.${message === null ? "" : ` ${message}.`}`;
