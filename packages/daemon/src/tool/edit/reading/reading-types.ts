import type { TextReplacement } from "../edit-types.ts";

/**
 * Another way to read a call, such as without pasted line numbers. Undefined if the call does not look like that. `ignored`: what the reading
 * leaves out, for the result of the call. `line`: the number of the line that the call names.
 */
export type EditReading = (edit: TextReplacement) => { edit: TextReplacement; ignored: string; line?: number | undefined } | undefined;
