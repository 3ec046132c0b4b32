/** An id of a call in letters, digits, `_` and `-`, at most 64 of them: what strict providers take. */
export const safeCallId = (id: string): string => id.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
