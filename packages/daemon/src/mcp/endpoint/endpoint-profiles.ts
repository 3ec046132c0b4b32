import type { Toolset } from "@baton/core/protocol/toolset/toolset-profile";
import { toolsetOf } from "@baton/core/toolset/toolset-selection-state";
import { EndpointProfile, type ProfileLog } from "./endpoint-profile.ts";

/** The profile whose toolsets the user's sessions have. */
export const SHARED_PROFILE = "default";

/** All profiles. Each is read on first use. */
export type EndpointProfiles = {
  open: (name: string) => Promise<EndpointProfile>;
  /** A profile that has been opened. Throws for any other. */
  known: (name: string) => EndpointProfile;
  /** A toolset of this name and its profile. If several profiles have one, the first by name. */
  holding: (toolset: string) => Promise<{ profile: string; toolset: Toolset } | undefined>;
};

/** `names`: the names of all profiles. */
export function openEndpointProfiles(log: ProfileLog, names: () => Promise<string[]>, now: () => number): EndpointProfiles {
  const opening = new Map<string, Promise<EndpointProfile>>();
  const open = new Map<string, EndpointProfile>();
  const read = (name: string): Promise<EndpointProfile> => {
    const before = opening.get(name);
    if (before) return before;
    const reading = EndpointProfile.open(name, log, now);
    opening.set(name, reading);
    reading.then(
      (profile) => open.set(name, profile),
      () => opening.delete(name),
    );
    return reading;
  };
  return {
    open: read,
    known: (name) => {
      const profile = open.get(name);
      if (!profile) throw new Error(`the profile ${name} was used before it was opened`);
      return profile;
    },
    holding: async (wanted) => {
      for (const name of await names()) {
        const toolset = toolsetOf((await read(name)).state, wanted);
        if (toolset) return { profile: name, toolset };
      }
      return undefined;
    },
  };
}
