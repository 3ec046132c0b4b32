import type { EndpointOptions } from "../mcp/endpoint/endpoint.ts";
import { callFromOutside } from "../session/outside.ts";
import type { Sessions } from "../session/sessions.ts";

/** Calls of other agents go through the session of their profile. */
export function outsideCalls(sessions: Sessions): EndpointOptions["call"] {
  let count = 0;
  return async (profile, workspace, call) => callFromOutside(await sessions.ofEndpoint(profile, workspace), ++count, call);
}
