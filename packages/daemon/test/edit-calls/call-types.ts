/**
 * A call as a model sent it, the files before it, and the only right files after it. `after` is undefined if the call has no single meaning and
 * must be refused. `kind`: the form in which each agent gets the call.
 */
export type EditCall = {
  name: string;
  before: Files;
  after: Files | undefined;
} & ({ kind: "replace"; path: string; old: string; now: string; all?: boolean } | { kind: "patch"; patch: string });

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;
