import { isToolsetTool } from "@baton/core/toolset/definition";
import { listingKey } from "@baton/core/toolset/project";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { answerCall } from "./call.ts";
import type { EndpointOptions, OutsideCall } from "./endpoint.ts";
import { toolsFor } from "./listing.ts";

/** What all clients of one profile in one workspace see. The protocol's servers stand before it. */
export type Desk = {
  readonly workspace: string;
  tools: () => Tool[];
  call: (call: OutsideCall) => Promise<CallToolResult>;
  /** Calls the listener after each change of what is listed, once the answers that brought it about are on their way. */
  onTools: (listener: () => void) => () => void;
  /** Looks whether what is listed is another than before. */
  look: () => void;
  close: () => void;
};

export async function openDesk(name: string, workspace: string, options: EndpointOptions): Promise<Desk> {
  const { profiles, catalogue, known, warm, call } = options;
  const profile = await profiles.open(name);
  await warm(workspace);
  const listeners = new Set<() => void>();
  const underWay = new Set<Promise<unknown>>();
  const keyNow = () => listingKey(profile.standing, catalogue(workspace));
  let key = keyNow();
  const look = () => {
    const now = keyNow();
    if (now === key) return;
    key = now;
    const tell = () => setImmediate(() => listeners.forEach((listener) => listener()));
    Promise.allSettled(underWay).then(tell, tell);
  };
  const forget = profile.onChange(look);
  return {
    workspace,
    look,
    tools: () => toolsFor(profile.standing, catalogue(workspace), known(workspace)),
    async call({ tool, input, ...how }) {
      if (isToolsetTool(tool)) await warm(workspace);
      const run = (named: string, given: unknown) => call(name, workspace, { tool: named, input: given, ...how });
      const answering = answerCall(tool, isRecord(input) ? input : {}, {
        standing: profile.standing,
        catalogue: catalogue(workspace),
        known: known(workspace),
        run,
      });
      if (!tool.includes("__")) track(answering, underWay);
      return answering;
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

function track(work: Promise<unknown>, underWay: Set<Promise<unknown>>): void {
  underWay.add(work);
  const forget = () => void underWay.delete(work);
  work.then(forget, forget);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
