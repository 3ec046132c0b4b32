import { setTimeout as sleep } from "node:timers/promises";
import { isToolsetTool } from "@baton/core/toolset/toolset-inputs";
import { sharedServers, listingKey } from "@baton/core/toolset/exposed-tools";
import { isRecord } from "@baton/core/text/json";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { InputRequired } from "../connection/input-required.ts";
import { answerCall } from "./answer-call.ts";
import type { ProxyContext, AccessCheck, RunProxiedCall } from "./proxied-resources.ts";
import type { EndpointCaller, EndpointOptions, ExternalCall } from "./endpoint-options.ts";
import { toolsFor } from "./list-tools.ts";
import { addressesOf } from "./resource-address.ts";

/** The state that all clients of a profile in one workspace share. */
export type ProfileBackend = {
  readonly workspace: string;
  tools: () => Tool[];
  /** The servers whose resources and prompts are exposed now. */
  proxyContext: () => ProxyContext;
  call: (call: ExternalCall) => Promise<CallToolResult | InputRequired>;
  /** Reads a resource or gets a prompt for a client. */
  runFor: (caller: EndpointCaller) => RunProxiedCall;
  isAllowed: AccessCheck;
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
  const { profiles, catalog, known, warm, call, servers, may } = options;
  const profile = await profiles.open(name);
  await warm(workspace);
  const listeners = new Set<(what: ListKind) => void>();
  const notify = (what: ListKind) => {
    for (const listener of listeners) listener(what);
  };
  const proxyContext = (): ProxyContext => {
    const { state } = profile;
    const names = sharedServers(state, catalog(workspace));
    const exposed = servers(workspace).filter(({ definition }) => names.has(definition.name));
    const proxied = state.policy === "proxy" ? state.proxied : undefined;
    return { servers: exposed, proxied, addresses: addressesOf([...names], proxied) };
  };
  const othersNow = () => {
    const { proxied, servers: exposed } = proxyContext();
    const states = exposed.map((each) => [each.definition.name, each.state.status, each.has("resources"), each.has("prompts")]);
    return JSON.stringify([proxied, states]);
  };
  let others = othersNow();
  const keyNow = () => listingKey(profile.state, catalog(workspace));
  let key = keyNow();
  let seen = Promise.withResolvers<void>();
  const look = () => {
    const now = keyNow();
    const othersAre = othersNow();
    if (othersAre !== others) {
      others = othersAre;
      notify("resources");
      notify("prompts");
    }
    if (now === key) return;
    key = now;
    seen = Promise.withResolvers();
    notify("tools");
  };
  const forget = profile.onChange(look);
  return {
    workspace,
    look,
    proxyContext,
    isAllowed: (tool, input) => may(name, workspace, { tool, input }),
    runFor: (caller) => (tool, input) => call(name, workspace, { tool, input, ...caller }),
    clientsAnswer: () => profile.state.policy === "proxy",
    othersChanged: notify,
    tools() {
      seen.resolve();
      return toolsFor(profile.state, catalog(workspace), known(workspace));
    },
    async call({ tool, input, ...how }) {
      const run = (named: string, given: unknown) => call(name, workspace, { tool: named, input: given, ...how });
      const isOwn = isToolsetTool(tool) && profile.state.policy !== "proxy";
      if (isOwn) await warm(workspace);
      const before = key;
      const answer = await answerCall(tool, isRecord(input) ? input : {}, {
        toolsetState: profile.state,
        catalog: catalog(workspace),
        known: known(workspace),
        addresses: proxyContext().addresses,
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
