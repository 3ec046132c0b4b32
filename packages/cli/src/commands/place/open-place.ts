import type { Api } from "../../connection/daemon-connection.ts";
import { usageError } from "../../connection/exit-codes.ts";

export type Place = Awaited<ReturnType<Api["place"]["list"]["query"]>>[number];

/** Which place the user wants: a new one (`true`, with a name that Baton chooses), or one by its name or a pull request (`#123`). */
export type PlaceChoice = { place: string | true; base?: string | undefined; group?: string | undefined };

const PULL_REQUEST = /^#\d+$|^https:\/\/\S+\/pull\/\d+/;

/** The place of this name, opened again if it was removed, or a new one. */
export async function openPlace(api: Api, workspace: string, { place, base, group }: PlaceChoice): Promise<Place> {
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
    ...(group === undefined ? {} : { group }),
  });
}

async function findPlace(api: Api, cwd: string, name: string): Promise<Place | undefined> {
  return (await api.place.list.query({ cwd })).find((place) => place.name === name);
}

/** A sentence about a place that a session starts in. */
export const placeSentence = ({ name, branch, base, message }: Place): string =>
  `Place ${name}: ${branch === null ? "no branch" : `branch ${branch}`}, based on ${base}.${message === null ? "" : ` ${message}.`}`;
