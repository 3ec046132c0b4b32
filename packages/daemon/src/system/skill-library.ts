/** A skill: its name, its purpose, and the plugin that it is part of. */
export type SkillInfo = { name: string; description: string; plugin?: string };

/** Skills, and slash commands with their arguments. Undefined if the name is unknown. */
export type SkillLibrary = {
  skills: () => Promise<SkillInfo[]>;
  skill: (name: string) => Promise<{ text: string; folder: string } | undefined>;
  command: (name: string, args: string) => Promise<string | undefined>;
};

export const noLibrary: SkillLibrary = { skills: async () => [], skill: async () => undefined, command: async () => undefined };
