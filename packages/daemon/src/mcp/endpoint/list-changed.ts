import type { Server } from "@modelcontextprotocol/server";
import type { ListKind } from "./profile-backend.ts";

/** Tells a client that a list is another than before. One that does not listen hears nothing. */
export function notifyListChanged(server: Server, what: ListKind): void {
  const sent = {
    tools: () => server.sendToolListChanged(),
    resources: () => server.sendResourceListChanged(),
    prompts: () => server.sendPromptListChanged(),
  }[what]();
  sent.catch(() => undefined);
}
