import { realpathSync } from "node:fs";
import type { Places } from "../client/paths.ts";

/** Folders that no tool may read or write: they hold what decides about tools. */
export const ownRootsOf = ({ config, state, log }: Places): string[] => [config, state, log].map((folder) => realpathSync(folder));
