import { homedir } from "node:os";
import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import { SEARCH_RESOURCE } from "@baton/core/protocol/web-search-service";
import type { Access, SourcedRule } from "@baton/core/protocol/rule";
import { filesBelow } from "./command/files/files-below.ts";
import { isFolder } from "./command/files/path-on-disk.ts";
import { gateCommand } from "./command/gate-command.ts";
import { isOnlyForBash } from "./command/shell/parse.ts";
import type { CommandContext } from "./command/shell/shell-context.ts";
import { gateHost } from "./package-hosts.ts";
import { gateAccess, pathGate, type PathGate, type PathRefusal } from "./path.ts";
import { floorOf } from "./protected-paths.ts";
import { gateSearch, gateUrl } from "./url-gate.ts";

/** The context of a tool call. */
export type GateContext = Omit<CommandContext, "home"> & {
  /** The shell in which commands run. The gate reads those of bash, those of sh that bash would read in the same way, and no others. */
  shell?: string;
  /** Programs of the project that commands find by their names, with their paths. */
  programs?: ReadonlyMap<string, string>;
  /** The address to which web searches go, if the user configured one. */
  searchAddress?: URL | undefined;
};

/** Turns the declared access of a tool into exact accesses for rules. Returns a refusal if the resource cannot be accessed at all. */
export function gate(access: Access, context: GateContext): GatedAccess[] | PathRefusal {
  const { workspace, ownRoots } = context;
  if (access.action === "read") return gateAccess(access, pathGate(workspace), ownRoots);
  if (access.action === "edit") return gateEdit(access, context);
  if (access.action === "command") {
    const gated = gateCommand(access.resource, { ...context, home: homedir() });
    const { shell = "bash" } = context;
    return shell === "bash" || (shell === "sh" && !isOnlyForBash(access.resource)) ? gated : askAboutOtherShell(access, gated);
  }
  if (access.action === "fetch")
    return access.resource.startsWith(SEARCH_RESOURCE)
      ? gateSearch(access.resource.slice(SEARCH_RESOURCE.length), context.searchAddress)
      : gateUrl(access.resource);
  if (access.action === "network") return [gateHost(access, context)];
  return [access];
}

/** A tool that writes into a folder may change all files in it. */
function gateEdit(access: Access, { workspace, ownRoots }: GateContext): GatedAccess[] | PathRefusal {
  const gatePath = pathGate(workspace);
  const gated = gateAccess(access, gatePath, ownRoots);
  const located = gatePath(access.resource);
  if ("refused" in gated || "refused" in located || !isFolder(located.real)) return gated;
  const place = { workspace, gatePath, listings: new Map(), listed: { entries: 0 } };
  const below = filesBelow(located.real, { place }, { action: "edit" });
  return gated.map((each) => (each.action === "edit" ? { ...each, below } : each));
}

/**
 * The accesses of a command in a shell that the command gate cannot read. It asks every time, whatever a rule allows. The accesses that the
 * gate finds in it count only where they make the verdict stricter, because a name may mean the same in both languages.
 */
function askAboutOtherShell(whole: Access, gated: readonly GatedAccess[]): GatedAccess[] {
  const source = "command gate: Baton cannot read the commands of this shell";
  const floor: SourcedRule = { action: "command", resource: "*", effect: "ask", layer: "gate", source, once: true };
  const limits = gated.map(({ action, resource, also, below, suspected, floor: own }): GatedAccess => ({
    action,
    resource,
    ...(also ? { also } : {}),
    ...(below ? { below } : {}),
    ...(suspected ? { suspected } : {}),
    floor: own?.effect === "deny" ? own : floor,
  }));
  return [...limits, { ...whole, floor }];
}

/** Returns the floor for reading a file that a search found. The search did not follow symlinks to find it. */
export function readFloor(relative: string, { workspace, ownRoots }: Pick<GateContext, "workspace" | "ownRoots">): SourcedRule | undefined {
  const real = path.resolve(workspace, relative);
  return floorOf("read", { real, relative, inside: !path.isAbsolute(relative) }, ownRoots);
}

/**
 * Returns a path gate for one call. It opens only the files for which the call was judged. If a symlink has changed its target
 * since then, the gate refuses. A call that may edit a file may also read it.
 */
export function judgedOnly(gatePath: PathGate, seen: readonly Access[]): (named: string, action: "read" | "edit") => ReturnType<PathGate> {
  return (named, action) => {
    const gated = gatePath(named);
    if ("refused" in gated) return gated;
    const covered = seen.some((access) => (access.action === action || access.action === "edit") && access.resource === gated.relative);
    return covered ? gated : { refused: `${named} now leads to ${gated.relative}, which was not judged. Call the tool again.` };
  };
}
