/** Whether a model is one of Mistral's, whose templates are strict wherever they run. */
export const isMistral = (id: string): boolean => /(?:mis|minis|magis|codes|devs|pix)tral/i.test(id);

/** An id of a call in letters, digits, `_` and `-`, at most 64 of them: what strict providers take. */
export const safeCallId = (id: string): string => id.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
