/** Versions are started at once, and each is a session with a checkout of its own. */
export const MAX_VERSIONS = 8;

/** One of several attempts at a prompt: the name of its place, and its model. Without a model it uses the default. */
export type PlannedVersion = { place: string; model: string | undefined };

type Wanted = {
  count: number;
  /** Fewer models than versions are used in turn. */
  models: readonly (string | undefined)[];
  /** Without a name, the places are named after their group. */
  name: string | undefined;
  group: string;
};

/** The versions of a prompt, whose places have the same group. */
export const planVersions = ({ count, models, name, group }: Wanted): PlannedVersion[] =>
  Array.from({ length: count }, (_, i) => ({
    place: `${name ?? group.slice(0, SHORT)}-v${i + 1}`,
    model: models[i % Math.max(1, models.length)],
  }));

const SHORT = 4;
