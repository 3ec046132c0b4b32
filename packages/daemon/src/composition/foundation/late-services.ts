import type { Config } from "../../config/config-schema.ts";
import type { Endpoint } from "../../mcp/endpoint/endpoint.ts";
import type { ServerManager } from "../../mcp/server-manager.ts";
import type { ReadableFiles } from "../agent/readable-files.ts";
import type { SetupGate } from "../../place/place-context.ts";
import type { Sessions } from "../../session/sessions.ts";

/**
 * The services that open last. Callbacks of earlier services reach them through this object. A change before they exist
 * needs no action, because nothing depends on the old value yet.
 */
export type LateServices = {
  sessions?: Sessions;
  servers?: ServerManager;
  /** The configs of the machine and, if it is trusted, of a project. */
  limits?: (workspace: string) => readonly Config[];
  endpoint?: Endpoint;
  /** Stops the language servers of plugins. */
  stopPluginServers?: () => void;
  /** The files of a workspace that its default mode may read. Undefined if they cannot be listed. */
  readableFiles?: ReadableFiles;
  setups?: Pick<SetupGate, "isApproved" | "denial">;
};
