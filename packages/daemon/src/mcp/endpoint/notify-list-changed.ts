import type { Server } from "@modelcontextprotocol/server";
import type { ListKind } from "./shared-profile-state.ts";

/** Notifies a client that a list has changed. */
export function notifyListChanged(server: Server, what: ListKind): void {
  const sent = {
    tools: () => server.sendToolListChanged(),
    resources: () => server.sendResourceListChanged(),
    prompts: () => server.sendPromptListChanged(),
  }[what]();
  sent.catch(() => undefined);
}
