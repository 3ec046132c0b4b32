/** Apart from the schema, so that a page can look at a name without one. */
export const MAX_TOOLSET_NAME_LENGTH = 50;
export const TOOLSET_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])$/;

export const isToolsetName = (name: string): boolean => name.length <= MAX_TOOLSET_NAME_LENGTH && TOOLSET_NAME.test(name);

/** What is said of one that is none. */
export const TOOLSET_NAMES = "a toolset's name is made of a-z, 0-9 and dashes, 2 to 50 of them, and neither begins nor ends with a dash";
