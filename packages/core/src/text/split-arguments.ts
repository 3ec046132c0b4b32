/** The words of a typed line, or what stands in quotes. */
export const splitArguments = (typed: string): string[] =>
  Array.from(typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, double, single, bare]) => double ?? single ?? bare ?? "");
