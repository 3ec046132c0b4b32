class UnknownCode extends Error {}

/** Refuses code that may do more than compute, print, and use files that it names. */
export function refuse(): never {
  throw new UnknownCode();
}
