import { execFileSync } from "node:child_process";
import { homedir } from "node:os";
import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { Effect, Resource, SourcedRule } from "@baton/core/protocol/rule";
import { gateCommand } from "../../src/permission/command/gate-command.ts";
import { Folder } from "./folder.ts";

/** The files of the repository. */
export const FILES = "README.md src/a.ts secrets/db.txt secrets/deep/key.txt sub/yarn.lock sub/a.ts tmpl/.npmrc";

/** A repository with some files, of which `secrets` and `yarn.lock` are those that rules limit. */
export async function repository(): Promise<Folder> {
  const folder = new Folder();
  for (const file of FILES.split(" ")) await folder.write(file, "x");
  const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder.path });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "all");
  return folder;
}

/** A rule of the user. */
export const rule = (action: string, resource: Resource, effect: Effect): SourcedRule => ({
  action,
  resource,
  effect,
  layer: "user",
  source: "t",
});

/** The effect for a command if the user allows everything else. */
export function effectOf(folder: Folder, text: string, ...limits: readonly SourcedRule[]): Effect {
  const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user: [rule("*", "*", "allow"), ...limits], workspace: [], session: [] });
  const gated = gateCommand(text, { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() });
  return judge({ ...rules, workspace: folder.path }, "run_command", gated).effect;
}
