/** Separate from the schema, so that the page can check a name without loading schemas. */
export const MAX_TOOLSET_NAME_LENGTH = 50;
export const TOOLSET_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])$/;

export const isToolsetName = (name: string): boolean => name.length <= MAX_TOOLSET_NAME_LENGTH && TOOLSET_NAME.test(name);

/** The message for an invalid name. */
export const INVALID_TOOLSET_NAME =
  "a toolset name consists of 2 to 50 characters a-z, 0-9 and dashes, and neither begins nor ends with a dash";
