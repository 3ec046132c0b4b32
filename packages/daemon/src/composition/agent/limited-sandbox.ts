import type { SourcedRule } from "@baton/core/protocol/rule";
import { sandboxView } from "../sessions/sandbox-view.ts";
import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import type { Foundation } from "../foundation/open-foundation.ts";
import { protectedRoots } from "../foundation/protected-roots.ts";

const allowed = (action: string): SourcedRule => ({
  action,
  resource: "*",
  effect: "allow",
  layer: "defaults",
  source: "programs that Baton starts by itself",
});

/**
 * Returns a sandbox for a formatter or a language server of a workspace. A command in the sandbox could have replaced such a program, so the
 * rules of the user for files apply: files that it must not read are hidden, and those that it must not change are read-only. `wrap` throws if there
 * are too many such files.
 */
export function limitedSandbox(sandbox: Sandbox | undefined, workspace: string, foundation: Foundation): Sandbox | undefined {
  if (!sandbox) return undefined;
  const { config, managed, gates, paths } = foundation;
  return {
    ...sandbox,
    wrap: (program, view) => {
      const named = config.now().rules.filter(({ resource, effect }) => resource !== "*" || effect !== "ask");
      const rules = { rules: [allowed("read"), allowed("edit"), ...named], ceilings: [managed.now().rules], workspace };
      const scope = { workspace, writable: [], ownRoots: protectedRoots(paths), limitedFiles: gates.now().limitedFiles };
      const limits = sandboxView(rules, scope);
      if (typeof limits === "string") throw new Error(`${workspace} has too many files that the sandbox must protect`);
      return sandbox.wrap(program, { ...limits, ...view });
    },
  };
}
