import path from "node:path";

/** The person's home, and the folder in which programs keep their settings. */
export type AgentHomes = { home: string; settings: string };

/** Whether a file of settings is the person's own, for all their work. Any other is a project's. */
export const isUserFile = (file: string, { home, settings }: AgentHomes): boolean =>
  [
    home,
    ...[".claude", ".opencode", ".kilo"].map((name) => path.join(home, name)),
    ...["opencode", "kilo"].map((name) => path.join(settings, name)),
  ].includes(path.dirname(file));
