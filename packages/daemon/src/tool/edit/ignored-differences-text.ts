/** A sentence for the model about the differences that did not count. Empty if the call matched as it was sent. */
export const ignoredDifferencesText = (ignored: readonly string[]): string =>
  ignored.length === 0 ? "" : ` Baton ignored differences in ${ignored.join(" and ")}.`;
