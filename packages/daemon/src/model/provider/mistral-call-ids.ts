/** True for Mistral's models, whose templates are strict with every provider. */
export const isMistral = (id: string): boolean => /(?:mis|minis|magis|codes|devs|pix)tral/i.test(id);

/** An id of at most 64 letters, digits, `_` and `-`, which strict providers accept. */
export const safeCallId = (id: string): string => id.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
