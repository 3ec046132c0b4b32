import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { Actor } from "@baton/core/protocol/request";
import type { ToolCatalog } from "@baton/core/toolset/tool-catalog";
import type { ClientExchange } from "../../tool/tool-types.ts";
import type { ServerConnection } from "../connection/server-connection.ts";
import type { ServerTool } from "../server-manager.ts";
import type { EndpointProfiles } from "./endpoint-profiles.ts";

/** The caller and its connection. `onWaiting` is called once if the user has to be asked. */
export type EndpointCaller = { by: Actor; signal: AbortSignal; onWaiting: () => void; through: ClientExchange };

/** The result of a call, and the server's answer unchanged. */
export type CallOutcome = { result: ToolResult; raw: unknown };

/** A call of another agent. */
export type ExternalCall = EndpointCaller & { tool: string; input: unknown };

/** The services of the daemon that the endpoint uses. */
export type EndpointOptions = {
  profiles: EndpointProfiles;
  /** Identifies this daemon, which must never become its own server. */
  identity: { version: string; instance: string };
  catalog: (workspace: string) => ToolCatalog;
  known: (workspace: string) => readonly ServerTool[];
  /** The servers that may be started and called. */
  servers: (workspace: string) => readonly ServerConnection[];
  /** Loads the approvals of a workspace and starts its servers. */
  warm: (workspace: string) => Promise<void>;
  /** True if the rules allow a call without asking. */
  may: (profile: string, workspace: string, call: Pick<ExternalCall, "tool" | "input">) => Promise<boolean>;
  call: (profile: string, workspace: string, call: ExternalCall) => Promise<CallOutcome>;
  report: (problem: string, error: unknown) => void;
};
