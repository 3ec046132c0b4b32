/**
 * All random choices of one run: from a seed, or from the tape of an earlier run. Zero is always the plainest choice (no fault, the first
 * item of a list). A tape that is at its end gives zeros, so a shorter tape is a simpler run.
 */
export class Draws {
  readonly tape: number[] = [];
  readonly #given: readonly number[] | undefined;
  #seed: number;

  constructor(source: number | readonly number[]) {
    this.#given = typeof source === "number" ? undefined : source;
    this.#seed = typeof source === "number" ? source : 0;
  }

  /** Whether the tape is at its end. */
  get ended(): boolean {
    return this.#given !== undefined && this.tape.length >= this.#given.length;
  }

  /** A whole number from 0 up to, but not including, `most`. */
  below(most: number): number {
    const raw = this.#given ? (this.#given[this.tape.length] ?? 0) : this.#random();
    const drawn = most <= 1 ? 0 : raw % most;
    this.tape.push(drawn);
    return drawn;
  }

  /** True in this many of 1,000 cases. */
  happens(perMille: number): boolean {
    return this.below(1_000) >= 1_000 - perMille;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new Error("nothing to pick from");
    return picked;
  }

  /** One of the keys, with the frequency of its weight. The first one is the plainest. */
  weighted<K extends string>(weights: Record<K, number>): K {
    let sum = 0;
    for (const key in weights) sum += weights[key];
    let left = this.below(sum);
    for (const key in weights) {
      if (left < weights[key]) return key;
      left -= weights[key];
    }
    throw new Error("nothing to weigh");
  }

  /** mulberry32: 32 bits at a time, the same on every machine. */
  #random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}
