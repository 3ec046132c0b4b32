import type { Actor } from "@baton/core/protocol/request";
import type { Catalogue } from "@baton/core/toolset/catalogue";
import type { CatalogueTool } from "../host.ts";
import type { Profiles } from "../profiles.ts";
import type { Called } from "./call.ts";

/** A call of another agent; `onWaiting` is called once when a person has to be asked. */
export type OutsideCall = { tool: string; input: unknown; by: Actor; signal: AbortSignal; onWaiting: () => void };

/** What the endpoint needs of the daemon. */
export type EndpointOptions = {
  profiles: Profiles;
  /** Tells this daemon from others, so that it never becomes a server of its own. */
  identity: { version: string; instance: string };
  catalogue: (workspace: string) => Catalogue;
  known: (workspace: string) => readonly CatalogueTool[];
  /** Reads what is remembered of a workspace and has its servers ready. */
  warm: (workspace: string) => Promise<void>;
  call: (profile: string, workspace: string, call: OutsideCall) => Promise<Called>;
  report: (problem: string, error: unknown) => void;
};
