import path from "node:path";

/** The most folders at the beginning of a path that may be those of a mount. */
const MAX_MOUNT_DEPTH = 20;

/** Returns a path in a container without its first folder, without its first two, and so on. One that leads out of a folder may begin in the workspace. */
export function endsOfMountedPath(place: string): string[] {
  const leadsOut = /(^|\/)\.\.\//.test(place);
  const names = path.posix
    .normalize(place)
    .split("/")
    .filter((name) => name !== "" && name !== "..");
  const parts = leadsOut ? names : names.slice(1);
  return parts.slice(0, MAX_MOUNT_DEPTH).map((_, i) => parts.slice(i).join("/"));
}
