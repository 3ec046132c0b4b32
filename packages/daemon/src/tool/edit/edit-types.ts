/** A replacement as a call describes it. `all`: the edit applies to every place. */
export type Edit = { old: string; now: string; all: boolean };

/** A range of the file, as offsets, and the text that replaces it. */
export type Place = { start: number; end: number; text: string };

/** Finds the places of a file that an edit may mean. The chain takes the first matcher that finds any. */
export type Matcher = (file: string, edit: Edit) => Place[];
