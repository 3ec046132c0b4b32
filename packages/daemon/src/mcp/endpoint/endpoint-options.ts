import type { Result } from "@baton/core/protocol/call";
import type { Actor } from "@baton/core/protocol/request";
import type { ToolCatalog } from "@baton/core/toolset/catalog";
import type { ClientExchange } from "../../tool/tool-types.ts";
import type { ServerConnection } from "../connection/connection.ts";
import type { CatalogueTool } from "../server-manager.ts";
import type { EndpointProfiles } from "./endpoint-profiles.ts";

/** Who calls, and how the client is reached meanwhile; `onWaiting` is called once when a person has to be asked. */
export type Caller = { by: Actor; signal: AbortSignal; onWaiting: () => void; through: ClientExchange };

/** What came of a call, and what the server answered, as it was. */
export type CallOutcome = { result: Result; raw: unknown };

/** A call of another agent. */
export type ExternalCall = Caller & { tool: string; input: unknown };

/** What the endpoint needs of the daemon. */
export type EndpointOptions = {
  profiles: EndpointProfiles;
  /** Tells this daemon from others, so that it never becomes a server of its own. */
  identity: { version: string; instance: string };
  catalogue: (workspace: string) => ToolCatalog;
  known: (workspace: string) => readonly CatalogueTool[];
  /** The servers that may be started and asked. */
  servers: (workspace: string) => readonly ServerConnection[];
  /** Reads what is remembered of a workspace and has its servers ready. */
  warm: (workspace: string) => Promise<void>;
  /** Whether the rules allow a call without a question. */
  may: (profile: string, workspace: string, call: Pick<ExternalCall, "tool" | "input">) => Promise<boolean>;
  call: (profile: string, workspace: string, call: ExternalCall) => Promise<CallOutcome>;
  report: (problem: string, error: unknown) => void;
};
