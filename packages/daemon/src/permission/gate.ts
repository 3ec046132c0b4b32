import { homedir } from "node:os";
import path from "node:path";
import type { Gated } from "@baton/core/permission/judge";
import type { Access, PlacedRule } from "@baton/core/protocol/rule";
import { gateCommand } from "./command/gate-command.ts";
import type { GatedPath } from "./gated-path.ts";
import { gateAccess, pathGate, type PathGate, type PathRefusal } from "./path.ts";
import { floorOf } from "./protected-paths.ts";
import { gateUrl } from "./url-gate.ts";

/** `workspace` and `ownRoots` are real paths; the latter are the daemon's own folders, closed to every tool. */
export type GateContext = {
  workspace: string;
  ownRoots: readonly string[];
  /** A person has said that what lies in the workspace may act. Without it nothing is given. */
  trusted: boolean;
  /** Above so many simple commands in one text a person is asked. */
  maxParts?: number;
};

/** Turns what a tool says it touches into exact accesses that rules can judge, or says why it cannot be touched at all. */
export function gate(access: Access, context: GateContext): Gated[] | PathRefusal {
  const { workspace, ownRoots } = context;
  if (access.action === "read" || access.action === "edit") return gateAccess(access, pathGate(workspace), ownRoots);
  if (access.action === "command") return gateCommand(access.resource, { ...context, home: homedir() });
  if (access.action === "fetch") return gateUrl(access.resource);
  return [access];
}

/** The floor for reading a file that a search came upon. The search found it without following links. */
export function readFloor(relative: string, { workspace, ownRoots }: Pick<GateContext, "workspace" | "ownRoots">): PlacedRule | undefined {
  const real = path.resolve(workspace, relative);
  return floorOf("read", { real, relative, inside: !path.isAbsolute(relative) }, ownRoots);
}

/**
 * A path gate for one call that opens only what the call was judged for: a link that leads elsewhere since then is
 * refused. Who may edit a file may read it.
 */
export function judgedOnly(
  gatePath: PathGate,
  judged: readonly Access[],
): (named: string, action: "read" | "edit") => GatedPath | PathRefusal {
  return (named, action) => {
    const gated = gatePath(named);
    if ("refused" in gated) return gated;
    const covered = judged.some((access) => (access.action === action || access.action === "edit") && access.resource === gated.relative);
    return covered ? gated : { refused: `${named} now leads to ${gated.relative}, which was not judged. Call the tool again.` };
  };
}
