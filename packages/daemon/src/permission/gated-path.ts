/**
 * The real location of a path. `relative` is relative to the workspace, with `/` between its parts. Outside the workspace it is
 * absolute.
 */
export type GatedPath = { real: string; relative: string; inside: boolean };
