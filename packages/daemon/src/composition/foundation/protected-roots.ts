import { realpathSync } from "node:fs";
import type { BatonPaths } from "../../client/paths.ts";

/** Folders that no tool may read or write, because they control what tools may do. */
export const protectedRoots = ({ config, state, log }: BatonPaths): string[] => [config, state, log].map((folder) => realpathSync(folder));
