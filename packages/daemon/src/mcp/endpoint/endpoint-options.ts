import type { Result } from "@baton/core/protocol/call";
import type { Actor } from "@baton/core/protocol/request";
import type { Catalogue } from "@baton/core/toolset/catalog";
import type { Through } from "../../tool/tool-types.ts";
import type { Connection } from "../connection/connection.ts";
import type { CatalogueTool } from "../server-manager.ts";
import type { Profiles } from "./endpoint-profiles.ts";

/** Who calls, and how the client is reached meanwhile; `onWaiting` is called once when a person has to be asked. */
export type Caller = { by: Actor; signal: AbortSignal; onWaiting: () => void; through: Through };

/** What came of a call, and what the server answered, as it was. */
export type Called = { result: Result; raw: unknown };

/** A call of another agent. */
export type OutsideCall = Caller & { tool: string; input: unknown };

/** What the endpoint needs of the daemon. */
export type EndpointOptions = {
  profiles: Profiles;
  /** Tells this daemon from others, so that it never becomes a server of its own. */
  identity: { version: string; instance: string };
  catalogue: (workspace: string) => Catalogue;
  known: (workspace: string) => readonly CatalogueTool[];
  /** The servers that may be started and asked. */
  servers: (workspace: string) => readonly Connection[];
  /** Reads what is remembered of a workspace and has its servers ready. */
  warm: (workspace: string) => Promise<void>;
  /** Whether the rules allow a call without a question. */
  may: (profile: string, workspace: string, call: Pick<OutsideCall, "tool" | "input">) => Promise<boolean>;
  call: (profile: string, workspace: string, call: OutsideCall) => Promise<Called>;
  report: (problem: string, error: unknown) => void;
};
