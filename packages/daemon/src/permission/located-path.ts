/** The real location of a path. `relative` is relative to the workspace, with `/` between its parts, and absolute outside of it. */
export type LocatedPath = {
  real: string;
  relative: string;
  inside: boolean;
  /** The path in the workspace as it was written, if symlinks in it lead to another one. */
  written?: string;
};
