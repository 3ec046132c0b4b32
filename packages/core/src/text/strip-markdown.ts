/** Removes the marks of emphasis and code, for a place that shows one plain line. */
export const stripMarkdown = (text: string): string => text.replace(/\*\*([^*]+)\*\*/g, "$1").replace(/`([^`]+)`/g, "$1");
