/** Thrown for code that may do more than compute, print, and use files that it names. */
export class UnknownCode extends Error {}

/** Refuses code that may do more. */
export function refuse(): never {
  throw new UnknownCode();
}
