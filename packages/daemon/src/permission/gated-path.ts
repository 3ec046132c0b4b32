/** Where a path really leads. `relative` counts from the workspace and has `/` between its parts; outside it is absolute. */
export type GatedPath = { real: string; relative: string; inside: boolean };
