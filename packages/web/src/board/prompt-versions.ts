import type { SessionRow } from "@baton/core/session/session-list";
import { placeOf, type Place } from "../store/data/place-folders.ts";

/** A place of a group, and the session that works in it. Undefined if there is none in the list. */
export type PromptVersion = { place: Place; row: SessionRow | undefined };

/** The places of a group with the newest session in each, in the order of their creation. */
export function versionsOf(group: string, rows: readonly SessionRow[], places: readonly Place[]): PromptVersion[] {
  return places
    .filter((place) => place.group === group)
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map((place) => ({
      place,
      row: rows
        .filter(({ parentId, workspace }) => parentId === null && placeOf([place], workspace) !== undefined)
        .toSorted((a, b) => b.createdAt - a.createdAt)[0],
    }));
}
