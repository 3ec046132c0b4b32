import { newCommandId, type Commands } from "@baton/core/client/command-client";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { planVersions } from "@baton/core/place/plan-prompt-versions";
import type { Api } from "../connection/connection-types.ts";
import type { Place } from "../store/data/place-folders.ts";

type Wanted = { folder: string; models: readonly (string | undefined)[]; name: string; base: string };

/** The places that try one prompt, and the model of each. */
export type VersionPlaces = { group: string; versions: { place: Place; model: string | undefined }[] };

export const newVersionPlaces = (): VersionPlaces => ({ group: newCommandId().slice(0, 12), versions: [] });

/** Adds a place per version to `into`. It keeps those of an attempt that failed, so that the next attempt goes on with them. */
export async function createVersionPlaces(
  api: Api,
  { folder, models, name, base }: Wanted,
  { group, versions }: VersionPlaces,
): Promise<void> {
  const planned = planVersions({ count: models.length, models, name: name === "" ? undefined : name, group });
  for (const { place, model } of planned.slice(versions.length))
    versions.push({
      place: await api.place.create.mutate({ cwd: folder, name: place, group, ...(base === "" ? {} : { base }) }),
      model,
    });
}

/** Starts a session with the prompt in each place. Returns the problems of those that did not start. Rejects if none did. */
export async function startInPlaces(
  commands: Pick<Commands, "start" | "prompt">,
  { versions }: VersionPlaces,
  mode: string | undefined,
  prompt: Parameters<Commands["prompt"]>[1],
): Promise<string[]> {
  const started = await Promise.allSettled(
    versions.map(async ({ place, model }) => {
      const id = await commands.start(place.workspace, mode, model);
      await commands.prompt(id, prompt, "queue");
    }),
  );
  const problems = started.flatMap((each, i) =>
    each.status === "rejected" ? `${versions[i]?.place.name}: ${errorMessage(each.reason)}` : [],
  );
  if (problems.length === started.length) throw new Error(problems[0]);
  return problems;
}
