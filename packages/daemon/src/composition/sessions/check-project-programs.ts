import type { Access, AccessVerdict } from "@baton/core/protocol/rule";
import { SANDBOX_RULE } from "../../session/calls/judge/judge-sandbox.ts";
import type { gate, GateContext } from "../../permission/gate.ts";

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

/**
 * Whether a command gets the programs of the project on its PATH. A command that needs no approval because it only reads does not get them, if it
 * could start others by their names: `npm ls` starts `node`.
 */
export function getsProjectPrograms(judged: readonly (Access & Partial<AccessVerdict>)[]): boolean {
  const commands = judged.filter(({ action }) => action === "command");
  if (commands.some(({ effect, rule }) => effect !== "allow" || rule?.action === SANDBOX_RULE.action)) return true;
  return commands.every(({ resource, rule }) => !(rule?.layer === "defaults" || rule?.layer === "gate") || STARTS_NOTHING.test(resource));
}

/** Reading programs that start no other, or only those for which there are no launchers. */
const STARTS_NOTHING =
  /^(\[|awk|basename|cat|cd|cmp|column|comm|command|cut|date|df|diff|dirname|du|echo|egrep|env|false|fgrep|fd|file|find|fold|git|grep|head|hexdump|hostname|id|jq|ls|md5sum|nl|od|paste|printenv|printf|ps|pwd|readlink|realpath|rg|sed|seq|sha\d+sum|sleep|sort|stat|strings|tac|tail|tar|test|tr|tree|true|type|uname|uniq|wc|which|whoami|xxd)( |$)/;
