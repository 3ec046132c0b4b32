/** The real location of a path. `relative` is relative to the workspace, with `/` between its parts, and absolute outside of it. */
export type LocatedPath = {
  real: string;
  relative: string;
  inside: boolean;
  /** If symlinks lead to the real path: the paths in the workspace on the way, first the one that was written. */
  written?: readonly string[];
};
