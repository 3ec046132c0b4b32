/**
 * A call as a model sent it, the files before it, and the right files after it. `after` is undefined if the call has no single meaning and
 * must be refused. `kind`: the form in which each agent gets the call.
 */
export type EditCall = {
  name: string;
  before: Files;
  after: Files | undefined;
  /** Other files that are also right, if nothing decides between the two. */
  orAfter?: Files;
} & ({ kind: "replace"; path: string; old: string; now: string; all?: boolean } | { kind: "patch"; patch: string });

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;
