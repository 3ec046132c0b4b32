import { Profile, type ProfileLog } from "./profile.ts";

/** The profile whose toolsets are those of a person's sessions. */
export const SHARED = "default";

/** All profiles, each read when it is first wanted. */
export type Profiles = {
  open: (name: string) => Promise<Profile>;
  /** One that was opened before. Throws for another. */
  known: (name: string) => Profile;
};

export function openProfiles(log: ProfileLog, now: () => number): Profiles {
  const opening = new Map<string, Promise<Profile>>();
  const open = new Map<string, Profile>();
  return {
    open: (name) => {
      const before = opening.get(name);
      if (before) return before;
      const reading = Profile.open(name, log, now);
      opening.set(name, reading);
      reading.then(
        (profile) => open.set(name, profile),
        () => opening.delete(name),
      );
      return reading;
    },
    known: (name) => {
      const profile = open.get(name);
      if (!profile) throw new Error(`the profile ${name} is used before it was opened`);
      return profile;
    },
  };
}
