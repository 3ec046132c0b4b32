import type { Clock } from "../system/clock.ts";

type Look = { value: Promise<unknown>; isDone: boolean };

/** How long a decision waits for what it has to look at, in milliseconds, before the session goes on without it. */
const MOMENT_MS = 50;

/** Made once: an exception for each look would cost more than many a look. */
const OVER = new Error("the look came back in time");

/**
 * What decisions have to look at outside, such as the files that a preview shows. A look that takes longer than a moment
 * holds up nobody: the session goes on, and decides once more when the look has come back.
 */
export class DeferredReads {
  readonly #clock: Clock;
  readonly #decideAgain: () => Promise<void>;
  readonly #underWay = new Map<string, Look>();

  constructor(clock: Clock, decideAgain: () => Promise<void>) {
    this.#clock = clock;
    this.#decideAgain = decideAgain;
  }

  /** What `work` gives, or undefined as long as that takes. `key` names what is looked at: of one key there is one look at a time. */
  async at<T>(key: string, work: () => Promise<T>): Promise<{ value: T } | undefined> {
    const before = this.#underWay.get(key);
    if (before && !before.isDone) return undefined;
    if (before) {
      this.#underWay.delete(key);
      return { value: (await before.value) as T }; // one key always stands for the same work
    }
    const value = work();
    const look: Look = { value, isDone: false };
    this.#underWay.set(key, look);
    const over = new AbortController();
    const done = value.then(
      () => true,
      () => true, // whoever takes the value gets the error
    );
    const late = this.#clock.wait(MOMENT_MS, over.signal).catch(() => true); // it was there before
    if (await Promise.race([done, late])) {
      over.abort(OVER);
      this.#underWay.delete(key);
      return { value: await value };
    }
    this.#takeLater(key, look, done).catch(() => undefined); // the session has reported it
    return undefined;
  }

  async #takeLater(key: string, look: Look, done: Promise<unknown>): Promise<void> {
    await done;
    look.isDone = true;
    await this.#decideAgain();
    if (this.#underWay.get(key) === look) this.#underWay.delete(key); // nobody wanted it any more
  }
}
