/** A skill by its name, with what it is for. */
export type SkillInfo = { name: string; description: string };

/** Texts that are read on demand: skills, and slash commands with their arguments filled in. Undefined: there is none of that name. */
export type SkillLibrary = {
  skills: () => Promise<SkillInfo[]>;
  skill: (name: string) => Promise<{ text: string; folder: string } | undefined>;
  command: (name: string, args: string) => Promise<string | undefined>;
};

export const noLibrary: SkillLibrary = { skills: async () => [], skill: async () => undefined, command: async () => undefined };
