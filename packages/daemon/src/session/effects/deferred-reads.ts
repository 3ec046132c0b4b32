import type { Clock } from "../../system/clock.ts";

type DeferredRead = { value: Promise<unknown>; isDone: boolean };

/** How long a decision waits for a read, in milliseconds, before the session continues without it. */
const MOMENT_MS = 50;

/** Created once, because creating an exception costs more than many a read. */
const OVER = new Error("the read finished in time");

/**
 * Reads that decisions need from outside the session, such as files for a preview. A slow read delays nobody: the session
 * continues, and decides again when the read has finished.
 */
export class DeferredReads {
  readonly #clock: Clock;
  readonly #decideAgain: () => Promise<void>;
  readonly #underWay = new Map<string, DeferredRead>();

  constructor(clock: Clock, decideAgain: () => Promise<void>) {
    this.#clock = clock;
    this.#decideAgain = decideAgain;
  }

  /** The result of `work`, or undefined while it takes. `key` names the read, and each key has one read at a time. */
  async at<T>(key: string, work: () => Promise<T>): Promise<{ value: T } | undefined> {
    const before = this.#underWay.get(key);
    if (before && !before.isDone) return undefined;
    if (before) {
      this.#underWay.delete(key);
      return { value: (await before.value) as T }; // each key always stands for the same work
    }
    const value = work();
    const read: DeferredRead = { value, isDone: false };
    this.#underWay.set(key, read);
    const over = new AbortController();
    const done = value.then(
      () => true,
      () => true, // the caller that takes the value gets the error
    );
    const late = this.#clock.wait(MOMENT_MS, over.signal).catch(() => true); // cached earlier
    if (await Promise.race([done, late])) {
      over.abort(OVER);
      this.#underWay.delete(key);
      return { value: await value };
    }
    this.#takeLater(key, read, done).catch(() => undefined); // the session has reported it
    return undefined;
  }

  async #takeLater(key: string, read: DeferredRead, done: Promise<unknown>): Promise<void> {
    await done;
    read.isDone = true;
    await this.#decideAgain();
    if (this.#underWay.get(key) === read) this.#underWay.delete(key); // nobody needs it anymore
  }
}
