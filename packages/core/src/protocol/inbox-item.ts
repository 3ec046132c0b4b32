import type { SessionId } from "./ids.ts";
import type { Request } from "./request.ts";

/**
 * An open request, with the session that it belongs to. `rootSessionId` is the session that the user started; `window` is the
 * open window of an editor that shows the request.
 */
export type InboxItem = Request & {
  sessionId: SessionId;
  rootSessionId: SessionId;
  mode: string;
  workspace: string;
  title: string;
  window?: string | undefined;
};
