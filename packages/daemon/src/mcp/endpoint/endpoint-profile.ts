import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { LoggedEvent } from "@baton/core/protocol/event";
import type { ListingPolicy, ProfileEvent } from "@baton/core/protocol/toolset/toolset-profile";
import type { ToolsetResult } from "@baton/core/toolset/execute-toolset-management-tool";
import type { ToolsetFailure } from "@baton/core/toolset/toolset-tool-failure";
import { newToolsetState, reduceToolset, type ToolsetState, type ToolsetEvent } from "@baton/core/toolset/toolset-selection-state";

/** The part of the log that profiles need. */
export type ProfileLog = {
  append: (step: { streamId: string; after: number; events: readonly ProfileEvent[]; at: number }) => Promise<unknown>;
  /** The events after the seq `after`. */
  read: (streamId: string, after?: number) => Promise<LoggedEvent<ProfileEvent>[]>;
};

/** The access of a profile's clients: the workspace, the listing policy, and a digest of their token. */
type ProfileOptions = { policy: ListingPolicy; server?: string; workspace: string; token: string };

/** A profile: its toolsets and the equipped one, for all clients of that name. Changes are serialized, and readers only see committed ones. */
export class EndpointProfile {
  readonly name: string;
  readonly #log: ProfileLog;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #state: ToolsetState;
  #opening: ProfileOptions | undefined;
  #seq = 0;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(name: string, log: ProfileLog, now: () => number) {
    this.name = name;
    this.#log = log;
    this.#now = now;
    this.#state = newToolsetState("flat");
  }

  /** Folds the stream. After a start, configuration mode is on exactly if no toolset is equipped. */
  static async open(name: string, log: ProfileLog, now: () => number): Promise<EndpointProfile> {
    const profile = new EndpointProfile(name, log, now);
    for (const event of await log.read(streamOf(name))) profile.#fold(event);
    profile.#state = { ...profile.#state, configuring: profile.#state.equipped === null };
    return profile;
  }

  get state(): ToolsetState {
    return this.#state;
  }

  /** Undefined until the profile is opened for clients. */
  get opening(): ProfileOptions | undefined {
    return this.#opening;
  }

  /** Calls the listener after each change. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  openFor(event: Extract<ProfileEvent, { type: "profile.opened" }>): Promise<void> {
    return this.#serial(() => this.#commit(() => ({ events: [event], answer: undefined })));
  }

  /** Runs on the current state and commits what `keep` lets through, everything or nothing. */
  change(
    run: (current: ToolsetState) => ToolsetResult | ToolsetFailure,
    keep: (event: ToolsetEvent) => boolean = () => true,
  ): Promise<ToolsetResult | ToolsetFailure> {
    return this.#serial(() =>
      this.#commit(() => {
        const acted = run(this.#state);
        return { events: acted.ok ? acted.events.filter(keep) : [], answer: acted };
      }),
    );
  }

  /** Repeats a change on the newest state if its own state was not the newest. */
  async #commit<T>(make: () => { events: readonly ProfileEvent[]; answer: T }): Promise<T> {
    const { events, answer } = make();
    try {
      await this.#append(events);
      return answer;
    } catch (error) {
      if (!(await this.#catchUp())) throw error;
    }
    const again = make();
    await this.#append(again.events);
    return again.answer;
  }

  /** Reads events that others wrote: another daemon, or a failing store after all. */
  async #catchUp(): Promise<boolean> {
    const there = await this.#log.read(streamOf(this.name), this.#seq).catch(() => []); // the state is unchanged
    for (const event of there) this.#fold(event);
    if (there.length > 0) this.#notify();
    return there.length > 0;
  }

  async #append(events: readonly ProfileEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.#log.append({ streamId: streamOf(this.name), after: this.#seq, events, at: this.#now() });
    for (const event of events) this.#fold(event);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #fold(event: ProfileEvent): void {
    this.#seq++;
    if (event.type === "profile.opened") {
      const { policy, server, workspace, token } = event;
      const { proxied: _, ...before } = this.#state;
      this.#opening = { policy, ...omitUndefined({ server }), workspace, token };
      this.#state = { ...before, policy, ...omitUndefined({ proxied: server }), revision: before.revision + 1 };
    } else this.#state = reduceToolset(this.#state, event);
  }

  #serial<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(work);
    this.#queue = run.catch(() => undefined);
    return run;
  }
}

const streamOf = (name: string) => `profile:${name}`;
