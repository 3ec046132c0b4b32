import type { SessionId } from "@baton/core/protocol/ids";

/** The one file that plan mode may write, relative to the workspace. */
export const planPath = (id: SessionId): string => `.baton/plans/${id}.md`;
