/** Where a path really leads: `real` is absolute and free of links, `relative` is how it is shown. */
export type ResolvedPath = { real: string; relative: string };
