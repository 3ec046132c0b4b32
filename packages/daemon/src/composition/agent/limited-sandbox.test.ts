import { expect, test } from "vitest";
import { parseConfig } from "../../config/load-config.ts";
import { Folder } from "../../../test/support/folder.ts";
import { limitedFiles } from "../../permission/limited-files.ts";
import type { Sandbox, SandboxView } from "../../system/sandbox/sandbox.ts";
import { limitedSandbox } from "./limited-sandbox.ts";

test("a program that Baton starts by itself sees no file whose reading is limited, and changes no protected one", async () => {
  using folder = new Folder();
  using other = new Folder();
  for (const file of [".env", ".vscode/tasks.json", "src/a.ts", "secrets/key.txt", "gen/a.ts", "public/a.ts"])
    await folder.write(file, "x");
  const permissions = { edit: { "*": "ask", "gen/**": "deny" }, read: { "secrets/**": "deny", "src/**": "ask" } };
  const config = parseConfig(JSON.stringify({ permissions }), "config.jsonc");
  const managed = parseConfig('{ "permissions": { "read": { "public/a.ts": "deny" } } }', "managed.jsonc");
  let view: SandboxView | undefined;
  const sandbox: Sandbox = { name: "test", wrap: (program, seen) => ((view = seen), program) };
  const foundation = {
    config: { now: () => config },
    managed: { now: () => managed },
    gates: { now: () => ({ limitedFiles }) },
    paths: { config: other.path, state: other.path, log: other.path },
  } as unknown as Parameters<typeof limitedSandbox>[2];
  limitedSandbox(sandbox, folder.path, foundation)?.wrap({ file: "prettier", args: [] }, { cwd: folder.path, keepsNetwork: false });
  expect(view).toMatchObject({ cwd: folder.path, edits: "all", keepsNetwork: false });
  expect(view?.hidden?.toSorted()).toEqual([".env", "public/a.ts", "secrets/key.txt", "src/a.ts"].map((file) => folder.at(file)));
  expect(view?.readOnly?.toSorted()).toEqual([".vscode", "gen"].map((file) => folder.at(file)));
});
