import { setTimeout as sleep } from "node:timers/promises";
import { isToolsetTool } from "@baton/core/toolset/definition";
import { listingKey } from "@baton/core/toolset/project";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { answerCall } from "./call.ts";
import type { EndpointOptions, OutsideCall } from "./options.ts";
import { toolsFor } from "./listing.ts";

/** What all clients of one profile in one workspace see. The protocol's servers stand before it. */
export type Desk = {
  readonly workspace: string;
  tools: () => Tool[];
  call: (call: OutsideCall) => Promise<CallToolResult>;
  /** Calls the listener after each change of what is listed. */
  onTools: (listener: () => void) => () => void;
  /** Looks whether what is listed is another than before. */
  look: () => void;
  close: () => void;
};

/** How long an answer that changed the list waits for its client to look at the new one; many of them look 300 ms after they heard. */
const LOOKING_MS = 600;
/** What it is given to take in what it saw. */
const TAKING_IN_MS = 100;

export async function openDesk(name: string, workspace: string, options: EndpointOptions): Promise<Desk> {
  const { profiles, catalogue, known, warm, call } = options;
  const profile = await profiles.open(name);
  await warm(workspace);
  const listeners = new Set<() => void>();
  const keyNow = () => listingKey(profile.standing, catalogue(workspace));
  let key = keyNow();
  let seen = Promise.withResolvers<void>();
  const look = () => {
    const now = keyNow();
    if (now === key) return;
    key = now;
    seen = Promise.withResolvers();
    for (const listener of listeners) listener();
  };
  const forget = profile.onChange(look);
  return {
    workspace,
    look,
    tools() {
      seen.resolve();
      return toolsFor(profile.standing, catalogue(workspace), known(workspace));
    },
    async call({ tool, input, ...how }) {
      const run = (named: string, given: unknown) => call(name, workspace, { tool: named, input: given, ...how });
      const isOwn = isToolsetTool(tool);
      if (isOwn) await warm(workspace);
      const before = key;
      const answer = await answerCall(tool, isRecord(input) ? input : {}, {
        standing: profile.standing,
        catalogue: catalogue(workspace),
        known: known(workspace),
        run,
      });
      // an agent asks its model next, at once: by then it should have the new list, of which it has just heard
      if (isOwn && key !== before && listeners.size > 0)
        await Promise.race([seen.promise.then(() => sleep(TAKING_IN_MS)), sleep(LOOKING_MS)]);
      return answer;
    },
    onTools(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      forget();
      listeners.clear();
    },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
