import type { AdditionalRoot } from "@baton/core/protocol/event";
import type { EnvironmentContext } from "@baton/core/protocol/environment-context";

/** The place of a session, as its model reads it. */
export type PlaceFact = { name: string; checkout: string; branch: string | null; base: string };

/** Sentences about the start of a session, for its model. */
export function startEnvironmentFacts(surroundings: EnvironmentContext | undefined): string[] {
  if (!surroundings) return [];
  const { date, git } = surroundings;
  const where = git?.branch == null ? "no branch was checked out" : `the git branch was ${git.branch}`;
  const state = git ? ` At that time ${where}, ${git.changed ? "with" : "without"} uncommitted changes.` : "";
  return [`This conversation started on ${date}.${state}`];
}

/** Sentences about the folders of a session, for its model. */
export function environmentFacts(
  roots: readonly AdditionalRoot[],
  place: PlaceFact | undefined,
  environment: readonly { tool: string; source: string }[],
): string[] {
  const onBranch = place?.branch == null ? "" : ` on the branch ${place.branch}`;
  const about = place
    ? [
        `It is a git worktree of ${place.checkout}${onBranch}, which began at ${place.base}. The user brings your changes over when they want them. Do not write to ${place.checkout}.`,
      ]
    : [];
  return [
    ...about,
    ...roots.map(({ path, readOnly }) =>
      readOnly
        ? `You may also read ${path}. Give absolute paths for files there.`
        : `You may also work in ${path}. Give absolute paths for files there.`,
    ),
    ...(environment.length > 0
      ? [
          `Commands have the environment of ${environment.map(({ tool, source }) => `${source} (${tool})`).join(" and ")}. Do not activate it yourself.`,
        ]
      : []),
  ];
}
