import type { Toolset } from "@baton/core/protocol/toolset";
import { toolsetOf } from "@baton/core/toolset/toolset-state";
import { EndpointProfile, type ProfileLog } from "./endpoint-profile.ts";

/** The profile whose toolsets are those of a person's sessions. */
export const SHARED_PROFILE = "default";

/** All profiles, each read when it is first wanted. */
export type EndpointProfiles = {
  open: (name: string) => Promise<EndpointProfile>;
  /** One that was opened before. Throws for another. */
  known: (name: string) => EndpointProfile;
  /** A toolset of this name, and in which profile it was built; where several have one, the first of them by name. */
  holding: (toolset: string) => Promise<{ profile: string; toolset: Toolset } | undefined>;
};

/** `names` are those of all profiles there ever were. */
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
      if (!profile) throw new Error(`the profile ${name} is used before it was opened`);
      return profile;
    },
    holding: async (wanted) => {
      for (const name of await names()) {
        const toolset = toolsetOf((await read(name)).standing, wanted);
        if (toolset) return { profile: name, toolset };
      }
      return undefined;
    },
  };
}
