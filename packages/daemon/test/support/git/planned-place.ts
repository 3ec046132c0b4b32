import { existsSync } from "node:fs";
import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import { PlaceId } from "@baton/core/protocol/place";
import { git, makeRepository } from "./repository.ts";

/** A planned place, before anything is created. Its repository is the folder `work` of `folder`. */
export function plannedPlace(folder: string, name: string, files?: Record<string, string>): PlaceState {
  const checkout = path.join(folder, "work");
  if (!existsSync(checkout)) makeRepository(checkout, files);
  return {
    id: PlaceId.parse(`${name}-0000`),
    key: name,
    name,
    source: checkout,
    checkout,
    commonDir: path.join(checkout, ".git"),
    root: path.join(folder, "places", name),
    branch: `baton/${name}`,
    ownBranch: true,
    base: "main",
    baseCommit: git(checkout, "rev-parse", "HEAD"),
    status: "creating",
    step: null,
    message: null,
    snapshot: null,
    prepared: null,
    applied: [],
    createdAt: 0,
    updatedAt: 0,
  };
}
