import type { AdditionalRoot } from "@baton/core/protocol/event";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";

/** The folders of `--add-dir` and `--read-dir`, as the user types them. */
export type RootOptions = { addDir?: string[]; readDir?: string[] };

/** The folders that a new session may use besides its workspace. Throws a usage error for one that does not exist. */
export const rootsOf = ({ addDir = [], readDir = [] }: RootOptions): AdditionalRoot[] => [
  ...addDir.map((folder) => ({ path: resolveWorkspace(folder), readOnly: false })),
  ...readDir.map((folder) => ({ path: resolveWorkspace(folder), readOnly: true })),
];
