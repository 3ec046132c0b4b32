/** A text that ends as a sentence does, so that another one can follow it. */
export const asSentence = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === "" || /[.!?…:][)"'”’`*]*$/.test(trimmed) ? trimmed : `${trimmed}.`;
};
