/** A replacement as a call describes it. `all`: the edit applies to every match. */
export type TextReplacement = { old: string; now: string; all: boolean };

/** A range of the file, as offsets, and the text that replaces it. */
export type TextMatch = { start: number; end: number; text: string };

/** Finds the ranges of a file that an edit may mean. The chain takes the first matcher that finds any. */
export type EditMatcher = (file: string, edit: TextReplacement) => TextMatch[];
