import { oneLine } from "@baton/core/text/sanitize";
import type { Place } from "../store/data/place-folders.ts";
import { Icon } from "./icon.tsx";

/** The name of a place and its branch, unless the branch is named for the place. */
export function PlaceLabel({ place: { name, branch, status } }: { place: Pick<Place, "name" | "branch" | "status"> }) {
  const named = branch === null || branch === `baton/${name}` ? "" : ` · ${branch}`;
  return (
    <span className="cut" title={branch === null ? `Place ${name}` : `Place ${name}, branch ${branch}`}>
      <Icon name="git-branch" small /> {oneLine(name + named)}
      {status === "ready" ? "" : ` (${PLACE_STATUS[status]})`}
    </span>
  );
}

export const PLACE_STATUS: Record<Place["status"], string> = {
  creating: "is being created",
  ready: "ready",
  failed: "could not be created",
  interrupted: "interrupted",
  removing: "is being removed",
  removed: "removed",
  restoring: "is being restored",
};
