import type { Server } from "@modelcontextprotocol/server";
import type { Listed } from "./profile-backend.ts";

/** Tells a client that a list is another than before. One that does not listen hears nothing. */
export function tellListChanged(server: Server, what: Listed): void {
  const sent = {
    tools: () => server.sendToolListChanged(),
    resources: () => server.sendResourceListChanged(),
    prompts: () => server.sendPromptListChanged(),
  }[what]();
  sent.catch(() => undefined);
}
