import type { Access } from "@baton/core/protocol/rule";
import type { gate, GateContext } from "../permission/gate.ts";

/**
 * Whether a command was judged with all programs of the project that it would start by their names now. The environment may have changed while
 * the command waited for an answer.
 */
export function areProgramsJudged(
  command: string,
  judged: readonly Access[],
  programs: ReadonlyMap<string, string>,
  gateAccess: typeof gate,
  context: Pick<GateContext, "workspace" | "ownRoots">,
): boolean {
  const gated = gateAccess({ action: "command", resource: command }, { ...context, trusted: true, programs });
  if ("refused" in gated) return false;
  const seen = new Set(judged.flatMap(({ action, resource }) => (action === "command" ? resource : [])));
  const files = [...programs.values()];
  const isOfProject = (resource: string) => files.some((file) => resource === file || resource.startsWith(`${file} `));
  return gated.every(({ action, resource }) => action !== "command" || !isOfProject(resource) || seen.has(resource));
}
