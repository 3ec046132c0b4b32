import { setTimeout as sleep } from "node:timers/promises";
import { isToolsetTool } from "@baton/core/toolset/definition";
import { sharedServers, listingKey } from "@baton/core/toolset/listing";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { InputRequired } from "../connection/input-required.ts";
import { answerCall } from "./answer-call.ts";
import type { ProxyContext, May, Run } from "./lending.ts";
import type { Caller, EndpointOptions, ExternalCall } from "./endpoint-options.ts";
import { toolsFor } from "./listing.ts";
import { addressesOf } from "./place.ts";

/** The state that all clients of a profile in one workspace share. */
export type ProfileBackend = {
  readonly workspace: string;
  tools: () => Tool[];
  /** The servers whose resources and prompts are exposed now. */
  lending: () => ProxyContext;
  call: (call: ExternalCall) => Promise<CallToolResult | InputRequired>;
  /** Reads a resource or gets a prompt for a client. */
  runFor: (caller: Caller) => Run;
  may: May;
  /** True if clients answer questions of servers themselves. Otherwise the user is asked. */
  clientsAnswer: () => boolean;
  /** Calls the listener after each change of a list. */
  onChange: (listener: (what: ListKind) => void) => () => void;
  /** Checks whether the list of tools has changed. */
  look: () => void;
  /** The resources or prompts of a server have changed. */
  othersChanged: (what: "resources" | "prompts") => void;
  close: () => void;
};

/** The lists that can change. */
export type ListKind = "tools" | "resources" | "prompts";

/** How long an answer that changes the list waits for its client to read the new list. Many clients do so after 300 ms. */
const RELIST_WAIT_MS = 600;
/** The time that a client gets to process the new list. */
const PROCESSING_MS = 100;

export async function openProfileBackend(name: string, workspace: string, options: EndpointOptions): Promise<ProfileBackend> {
  const { profiles, catalogue, known, warm, call, servers, may } = options;
  const profile = await profiles.open(name);
  await warm(workspace);
  const listeners = new Set<(what: ListKind) => void>();
  const tell = (what: ListKind) => {
    for (const listener of listeners) listener(what);
  };
  const lending = (): ProxyContext => {
    const { standing } = profile;
    const names = sharedServers(standing, catalogue(workspace));
    const lent = servers(workspace).filter(({ definition }) => names.has(definition.name));
    const proxied = standing.policy === "proxy" ? standing.proxied : undefined;
    return { servers: lent, proxied, addresses: addressesOf([...names], proxied) };
  };
  const othersNow = () => {
    const { proxied, servers: lent } = lending();
    const states = lent.map((each) => [each.definition.name, each.standing.standing, each.has("resources"), each.has("prompts")]);
    return JSON.stringify([proxied, states]);
  };
  let others = othersNow();
  const keyNow = () => listingKey(profile.standing, catalogue(workspace));
  let key = keyNow();
  let seen = Promise.withResolvers<void>();
  const look = () => {
    const now = keyNow();
    const othersAre = othersNow();
    if (othersAre !== others) {
      others = othersAre;
      tell("resources");
      tell("prompts");
    }
    if (now === key) return;
    key = now;
    seen = Promise.withResolvers();
    tell("tools");
  };
  const forget = profile.onChange(look);
  return {
    workspace,
    look,
    lending,
    may: (tool, input) => may(name, workspace, { tool, input }),
    runFor: (caller) => (tool, input) => call(name, workspace, { tool, input, ...caller }),
    clientsAnswer: () => profile.standing.policy === "proxy",
    othersChanged: tell,
    tools() {
      seen.resolve();
      return toolsFor(profile.standing, catalogue(workspace), known(workspace));
    },
    async call({ tool, input, ...how }) {
      const run = (named: string, given: unknown) => call(name, workspace, { tool: named, input: given, ...how });
      const isOwn = isToolsetTool(tool) && profile.standing.policy !== "proxy";
      if (isOwn) await warm(workspace);
      const before = key;
      const answer = await answerCall(tool, isRecord(input) ? input : {}, {
        standing: profile.standing,
        catalogue: catalogue(workspace),
        known: known(workspace),
        addresses: lending().addresses,
        run,
      });
      // an agent calls its model right away; by then it should have read the new list
      if (isOwn && key !== before && listeners.size > 0)
        await Promise.race([seen.promise.then(() => sleep(PROCESSING_MS)), sleep(RELIST_WAIT_MS)]);
      return answer;
    },
    onChange(listener) {
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
