import type { SessionId } from "@baton/core/protocol/ids";

/** The one file that planning may write, relative to the workspace. */
export const planPath = (id: SessionId): string => `.baton/plans/${id}.md`;
