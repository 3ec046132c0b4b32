import type { Catalogue } from "@baton/core/toolset/catalogue";
import type { Host } from "./host.ts";

const LETTERS_A_TOKEN = 4;

/** What there is to choose from in a workspace now, as the toolset tools speak of it. */
export function catalogueOf(host: Host, workspace: string): Catalogue {
  return {
    tools: host.catalogue(workspace).map(({ name, refId, server, listed }) => ({
      name,
      server,
      tool: listed.tool,
      description: listed.description,
      hints: listed.hints,
      refId,
      tokens: Math.ceil((name.length + listed.description.length + JSON.stringify(listed.schema).length) / LETTERS_A_TOKEN),
    })),
    servers: host.rows(workspace).map(({ name, status, problem }) => ({
      name,
      status:
        status === "ready" || (status === "idle" && problem === undefined)
          ? "available"
          : status === "disabled"
            ? "disabled"
            : "unavailable",
      ...(problem === undefined ? {} : { error: problem }),
    })),
  };
}
