import { realpathSync } from "node:fs";
import type { BatonPaths } from "../client/paths.ts";

/** Folders that no tool may read or write: they hold what decides about tools. */
export const protectedRoots = ({ config, state, log }: BatonPaths): string[] => [config, state, log].map((folder) => realpathSync(folder));
