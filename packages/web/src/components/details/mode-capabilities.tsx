import type { Group, GroupName } from "@baton/core/protocol/mode";
import type { Grant } from "@baton/core/protocol/rule";
import type { ToolName } from "@baton/core/tool/tool-table";
import { groupLimitText } from "@baton/core/text/tool-group-limits-text";
import type { ModeTools } from "../../store/data/daemon-data.ts";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import { useModeStyle } from "../composer/mode-name.tsx";
import { formatCount } from "@baton/core/text/format";

/** The rights of a mode for a group of tools: `no` means that it lacks the group. */
export type Capability = { group: string; may: "yes" | "asks" | "no"; about: string };

const ORDER: readonly GroupName[] = ["read", "edit", "command", "browser", "mcp", "coordinator", "orchestrate", "plan", "configuration"];

/** The reason for a group of tools that the mode lacks. */
export const NOT_IN_MODE = "not in this mode";

/**
 * The capabilities by group, in a fixed order. A group asks if one of its tools asks. Typing into a running command asks even where commands are
 * allowed, so it is named apart.
 */
export function modeCapabilities(
  { offered, withheld }: Pick<ModeTools, "offered" | "withheld">,
  grants: readonly { rule: { action: string } }[] = [],
  groups: readonly Group[] = [],
): Capability[] {
  return ORDER.flatMap((group): Capability[] => {
    const all = offered.filter((tool) => tool.group === group);
    const tools = all.filter(({ effect }) => effect !== "deny");
    if (all.length > 0 && tools.length === 0) return [{ group, may: "no", about: "denied by rules" }];
    const granted = grants.filter(({ rule }) => rule.action === group).length;
    if (tools.length === 0) {
      const isLacking = withheld.some((tool) => tool.group === group);
      return isLacking ? [{ group, may: "no", about: NOT_IN_MODE }] : [];
    }
    const asks = tools.some(({ name, effect }) => effect === "ask" && name !== TYPES);
    const typingAsks = tools.some(({ name, effect }) => effect === "ask" && name === TYPES) ? ["typing asks"] : [];
    const where = groupLimitText(groups, group);
    const about = asks
      ? [
          tools.some(({ freeInSandbox }) => freeInSandbox) ? "asks outside of the sandbox" : "asks",
          ...(granted > 0 ? [formatCount(granted, "grant")] : []),
          ...(where ? [where] : []),
        ].join(", ")
      : [where || (IN_WORKSPACE.has(group) ? "in the workspace" : "allowed"), ...typingAsks].join(", ");
    return [{ group, may: asks ? "asks" : "yes", about }];
  });
}

/** The tool that types into the terminal of a command. */
const TYPES: ToolName = "write_to_command";

/** Groups that ask about paths outside of the workspace in any case. */
const IN_WORKSPACE: ReadonlySet<GroupName> = new Set(["read", "edit"]);

/** Asks for each mode and folder, and again after each answer, because an answer may add a grant. */
export function useCapabilities(mode: string, cwd: string, grants: readonly Grant[]): Capability[] {
  const { lists } = useApp();
  const waiting = useObservableValue(lists.inbox)?.length;
  const groups = useModeStyle(mode).mode?.groups;
  const load = async () => modeCapabilities(await lists.modeTools(mode, cwd, grants), grants, groups);
  const query = useQuery(mode !== "" && cwd !== "" ? load : undefined, [lists, mode, cwd, grants, groups, waiting]);
  return query.data ?? NO_CAPABILITIES;
}

const NO_CAPABILITIES: Capability[] = [];

export function CapabilityList({ mode, may, line = false }: { mode: string; may: readonly Capability[]; line?: boolean }) {
  const { colorClassName } = useModeStyle(mode);
  return (
    <ul className={`may ${colorClassName}${line ? " line" : ""}`} aria-label="What the agent may do">
      {may.map(({ group, may: verdict, about }) => (
        <li key={group} className={verdict === "no" ? "no" : undefined} title={line ? `${group}: ${about}` : undefined}>
          <span className={`pip ${verdict}`} />
          <span>{group}</span>
          <span className={line ? "vh" : undefined}>{about}</span>
        </li>
      ))}
    </ul>
  );
}
