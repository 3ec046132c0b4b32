import path from "node:path";

/** The person's home, and the folder in which programs keep their settings. */
export type Homes = { home: string; settings: string };

/** Whose a file of settings is: the person's, for all their work, or that of a project. Where nothing is known of its place it is no person's. */
export function ownerOf(file: string, { home, settings }: Homes): "person" | { project: string } {
  const folder = path.dirname(file);
  const own = [
    home,
    ...[".claude", ".opencode", ".kilo"].map((name) => path.join(home, name)),
    ...["opencode", "kilo"].map((name) => path.join(settings, name)),
  ];
  if (own.includes(folder)) return "person";
  return { project: FOLDERS.has(path.basename(folder)) ? path.dirname(folder) : folder };
}

/** Folders of other agents in a project. */
const FOLDERS = new Set([".claude", ".opencode", ".kilo"]);
