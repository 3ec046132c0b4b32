import { refusalOf } from "@baton/core/client/rpc-errors";
import { useRef, useState } from "react";
import { useApp } from "../store/app-context.ts";
import type { Place } from "../store/data/place-folders.ts";
import { createVersionPlaces, newVersionPlaces, type VersionPlaces } from "./start-versions.ts";

/** Where a new session works. Empty fields mean the daemon's defaults: the commit that is checked out, and a name of its own. */
export type PlaceChoice = {
  kind: "here" | "place" | "versions";
  base: string;
  name: string;
  /** The model of each version. An empty one is the model of the prompt box. */
  models: readonly string[];
};

export type PlaceChoiceState = {
  choice: PlaceChoice;
  choose: (change: Partial<PlaceChoice>) => void;
  /** Whether git creates places now. */
  creating: boolean;
  /** Whether the daemon refused because the folder is not trusted. */
  untrusted: boolean;
  /** The folder for a session that starts in `folder`: itself, or a new place of it. Rejects with the daemon's refusal. */
  workspaceFor: (folder: string) => Promise<string>;
  /** A new place for each version. Rejects if a model cannot be used, and with the daemon's refusal. */
  versionsFor: (folder: string, model: string | undefined) => Promise<VersionPlaces>;
  trust: (folder: string) => Promise<void>;
};

const HERE: PlaceChoice = { kind: "here", base: "", name: "", models: ["", ""] };

/** The choice between the folder itself, a new place of it, and several places for versions of one prompt. */
export function usePlaceChoice(): PlaceChoiceState {
  const { link, commands, lists, tell } = useApp();
  const [choice, setChoice] = useState(HERE);
  const [creating, setCreating] = useState(false);
  const [untrusted, setUntrusted] = useState(false);
  /** The place that was created last, so that a start that failed afterwards does not create another one. */
  const created = useRef<{ key: string; workspace: string }>(undefined);
  const createdVersions = useRef<{ key: string; places: VersionPlaces }>(undefined);
  const [base, name] = [choice.base.trim(), choice.name.trim()];
  const create = async <T>(places: () => Promise<T>): Promise<T> => {
    setUntrusted(false);
    setCreating(true);
    try {
      return await places();
    } catch (error) {
      setUntrusted(refusalOf(error)?.code === "workspace_untrusted");
      throw error;
    } finally {
      setCreating(false);
    }
  };
  const tellOfSetup = async ({ id, prepared }: Place): Promise<void> => {
    if (prepared === null && (await link.api.place.setup.query({ place: id })) !== null)
      tell("The repository has a setup for places. The menu of the place shows its commands and runs them.");
  };
  const workspaceFor = async (folder: string): Promise<string> => {
    if (choice.kind === "here") return folder;
    const key = JSON.stringify([folder, base, name]);
    if (created.current?.key === key) return created.current.workspace;
    return create(async () => {
      const input = { cwd: folder, ...(base === "" ? {} : { base }), ...(name === "" ? {} : { name }) };
      const place = await link.api.place.create.mutate(input);
      created.current = { key, workspace: place.workspace };
      await tellOfSetup(place);
      return place.workspace;
    });
  };
  const versionsFor = async (folder: string, model: string | undefined): Promise<VersionPlaces> => {
    const models = choice.models.map((each) => (each.trim() === "" ? model : each.trim()));
    for (const each of new Set(models)) {
      const problem = each === undefined ? null : await lists.resolve(each);
      if (problem !== null) throw new Error(problem);
    }
    const key = JSON.stringify([folder, base, name, models]);
    return create(async () => {
      const known = createdVersions.current?.key === key ? createdVersions.current.places : newVersionPlaces();
      createdVersions.current = { key, places: known };
      await createVersionPlaces(link.api, { folder, models, name, base }, known);
      const [first] = known.versions;
      if (first) await tellOfSetup(first.place);
      return known;
    });
  };
  return {
    choice,
    choose: (change) => {
      setUntrusted(false);
      setChoice((now) => ({ ...now, ...change }));
    },
    creating,
    untrusted,
    workspaceFor,
    versionsFor,
    trust: async (folder) => {
      await commands.trust(folder, true);
      setUntrusted(false);
    },
  };
}
