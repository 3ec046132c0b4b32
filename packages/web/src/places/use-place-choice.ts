import { refusalOf } from "@baton/core/client/errors";
import { useRef, useState } from "react";
import { useApp } from "../store/app-context.ts";

/** Where a new session works. Empty fields mean the daemon's defaults: the commit that is checked out, and a name of its own. */
export type PlaceChoice = { isNew: boolean; base: string; name: string };

export type PlaceStart = {
  choice: PlaceChoice;
  choose: (change: Partial<PlaceChoice>) => void;
  /** Whether git creates the place now. */
  creating: boolean;
  /** Whether the daemon refused because the folder is not trusted. */
  untrusted: boolean;
  /** The folder for a session that starts in `folder`: itself, or a new place of it. Rejects with the daemon's refusal. */
  workspaceFor: (folder: string) => Promise<string>;
  trust: (folder: string) => Promise<void>;
};

const HERE: PlaceChoice = { isNew: false, base: "", name: "" };

/** The choice between the folder itself and a new place of it. */
export function usePlaceChoice(): PlaceStart {
  const { link, commands, tell } = useApp();
  const [choice, setChoice] = useState(HERE);
  const [creating, setCreating] = useState(false);
  const [untrusted, setUntrusted] = useState(false);
  /** The place that was created last, so that a start that failed afterwards does not create another one. */
  const created = useRef<{ key: string; workspace: string }>(undefined);
  const workspaceFor = async (folder: string): Promise<string> => {
    if (!choice.isNew) return folder;
    const key = JSON.stringify([folder, choice]);
    if (created.current?.key === key) return created.current.workspace;
    const [base, name] = [choice.base.trim(), choice.name.trim()];
    setUntrusted(false);
    setCreating(true);
    try {
      const input = { cwd: folder, ...(base === "" ? {} : { base }), ...(name === "" ? {} : { name }) };
      const { id, workspace, prepared } = await link.api.place.create.mutate(input);
      created.current = { key, workspace };
      if (prepared === null && (await link.api.place.setup.query({ place: id })) !== null)
        tell("The repository has a setup for places. The menu of the place shows its commands and runs them.");
      return workspace;
    } catch (error) {
      setUntrusted(refusalOf(error)?.code === "workspace_untrusted");
      throw error;
    } finally {
      setCreating(false);
    }
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
    trust: async (folder) => {
      await commands.trust(folder, true);
      setUntrusted(false);
    },
  };
}
