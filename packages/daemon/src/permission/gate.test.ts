import { symlinkSync, unlinkSync } from "node:fs";
import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import { SEARCH_RESOURCE } from "@baton/core/protocol/web-search-service";
import type { Access, SourcedRule, Resource } from "@baton/core/protocol/rule";
import { UNTRUSTED_FOLDER } from "@baton/core/text/rule-text";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { gate, judgedOnly } from "./gate.ts";
import { pathGate } from "./path.ts";

test("each action has its own gate, and other actions stay as they are", () => {
  using folder = new Folder();
  const context = { workspace: folder.path, ownRoots: [], trusted: false };
  expect(gate({ action: "read", resource: folder.at("a.ts") }, context)).toEqual([{ action: "read", resource: "a.ts" }]);
  const rule = { action: "command", resource: "ls", effect: "ask", layer: "defaults", source: UNTRUSTED_FOLDER };
  expect(gate({ action: "command", resource: "ls" }, context)).toEqual([
    { action: "command", resource: "ls", reads: true, complexity: 0, gateRule: rule },
  ]);
  expect(gate({ action: "session", resource: "update_todo_list" }, context)).toEqual([{ action: "session", resource: "update_todo_list" }]);
  expect(gate({ action: "read", resource: "a\0" }, context)).toHaveProperty("refused");
});

test("a web search is judged as a request to the configured service, even on this machine", () => {
  const context = { workspace: "/work", ownRoots: [], trusted: false };
  const search = { action: "fetch", resource: `${SEARCH_RESOURCE}rounding money` };
  expect(gate(search, context)).toEqual({ refused: "No service for web searches is configured." });
  const own = { ...context, searchAddress: new URL("http://localhost:8888/search") };
  expect(gate(search, own)).toEqual([{ action: "fetch", resource: "http://localhost:8888/search" }]);
  expect(gate({ action: "fetch", resource: "http://localhost:8888/search" }, own)).toHaveProperty("refused"); // fetch_url must not reach this address
  const long = { action: "fetch", resource: SEARCH_RESOURCE + "secret ".repeat(40) };
  expect(gate(long, own)).toMatchObject([{ floor: { effect: "ask", source: "url gate: the search carries much text" } }]);
});

test("a command of a shell that the gate cannot parse always asks, and the verdict is never looser than for bash", () => {
  using folder = new Folder();
  const base = { workspace: folder.path, ownRoots: ["/own"], trusted: true };
  const commands = [
    "ls",
    "Get-ChildItem",
    "cat a.ts",
    "rm -rf /",
    "echo hi > out.txt",
    "git push",
    "cat /own/keys",
    "dir & del x",
    "baton answer 1 once",
  ];
  const rules: SourcedRule[][] = [
    [],
    [{ action: "*", resource: "*", effect: "allow", layer: "user", source: "test" }],
    ...commands.map((command): SourcedRule[] => [
      { action: "command", resource: { exact: command }, effect: "allow", layer: "user", source: "test" },
    ]),
    [{ action: "command", resource: "git *", effect: "deny", layer: "user", source: "test" }],
  ];
  const strictness = { allow: 0, ask: 1, deny: 2 };
  const looser: string[] = [];
  for (const user of rules)
    for (const command of commands) {
      const effectOf = (shell: string) => {
        const gated = gate({ action: "command", resource: command }, { ...base, shell });
        if ("refused" in gated) throw new Error(gated.refused);
        return judge(stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] }), "run_command", gated).effect;
      };
      const [other, posix] = [effectOf("pwsh"), effectOf("bash")];
      if (other === "allow" || strictness[other] < strictness[posix]) looser.push(`${command}: ${other}, in bash ${posix}`);
    }
  expect(looser).toEqual([]);
});

test.each(["[[ a || ./run.sh ]]", "[[ a > x ]]", "echo $'\\'$(touch x) #'", 'echo "${x-\'}"; touch x; echo "\'}"', "ls &> x"])(
  "where sh runs the commands, a text that sh reads in another way than bash asks: %s",
  (resource) => {
    const rules = [{ action: "*", resource: "*", effect: "allow", layer: "user", source: "test" }] as const;
    const layers = stackLayers({ mode: { rules: [], ceilings: [] }, user: rules, workspace: [], session: [] });
    const effectOf = (command: string) => {
      const gated = gate({ action: "command", resource: command }, { workspace: "/work", ownRoots: [], trusted: true, shell: "sh" });
      return "refused" in gated ? gated.refused : judge(layers, "run_command", gated).effect;
    };
    expect([effectOf(resource), effectOf("ls | head -3")]).toEqual(["ask", "allow"]);
  },
);

test("a read-only mode has no commands of such a shell", () => {
  const gated = gate({ action: "command", resource: "ls" }, { workspace: "/work", ownRoots: [], trusted: true, shell: "cmd" });
  if ("refused" in gated) throw new Error(gated.refused);
  expect(gated.some(({ reads, gateRule }) => reads === true || gateRule !== undefined)).toBe(false);
});

test("a link whose target changed after the verdict is refused", async () => {
  using folder = new Folder();
  const real = await folder.write("a.ts", "");
  await folder.write(".env", "");
  symlinkSync("a.ts", folder.at("link"));
  const resolve = judgedOnly(pathGate(folder.path), [{ action: "edit", resource: "a.ts" }]);
  expect(resolve("link", "edit")).toEqual({ real, relative: "a.ts", inside: true, written: ["link"] });
  expect(resolve("link", "read")).toEqual({ real, relative: "a.ts", inside: true, written: ["link"] });
  unlinkSync(folder.at("link"));
  symlinkSync(".env", folder.at("link"));
  expect(resolve("link", "edit")).toEqual({ refused: "link now leads to .env, which was not judged. Call the tool again." });
});

test("a rule that allows reading does not allow editing", () => {
  using folder = new Folder();
  const resolve = judgedOnly(pathGate(folder.path), [{ action: "read", resource: "a.ts" }]);
  expect(resolve("a.ts", "read")).not.toHaveProperty("refused");
  expect(resolve("a.ts", "edit")).toHaveProperty("refused");
});

const KEY_FILES =
  ".env .env.local prod.env id_rsa id_dsa id_ecdsa id_ed25519 .netrc .git-credentials .pypirc .pgpass .vault-token .aws/credentials .kube/config .docker/config.json .config/gh/hosts.yml a.p12 a.pfx";
const EXAMPLES = ".env.example .env.sample .env.template environment.ts id_rsa.pub credentials.md";

function effectIn(folder: Folder, access: Access, action: string, resource: Resource) {
  const user: SourcedRule[] = [{ action, resource, effect: "allow", layer: "user", source: "test" }];
  const gated = gate(access, { workspace: folder.path, ownRoots: [], trusted: true });
  if ("refused" in gated) return gated;
  return judge(stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] }), access.action, gated).effect;
}

test("no wide rule allows reading a key file, with a tool or a command, and a rule for exactly that file does", async () => {
  using folder = new Folder();
  const wrong: string[] = [];
  for (const below of ["", "sub/", "sub/deep/"])
    for (const name of KEY_FILES.split(" ")) {
      const file = below + name;
      await folder.write(file, "KEY=1\n");
      const reads: Access = { action: "read", resource: file };
      const prints: Access = { action: "command", resource: `cat ${file}` };
      for (const wide of ["read", "*"]) if (effectIn(folder, reads, wide, "*") !== "ask") wrong.push(`${wide} *: ${file}`);
      if (effectIn(folder, prints, "*", "*") !== "ask") wrong.push(`cat ${file}`);
      if (effectIn(folder, reads, "read", file) !== "allow") wrong.push(`the rule for ${file}`);
    }
  for (const name of EXAMPLES.split(" ")) if (effectIn(folder, { action: "read", resource: name }, "*", "*") !== "allow") wrong.push(name);
  expect(wrong).toEqual([]);
});

test("a tool that writes into a folder may change what rules say about the files in it", async () => {
  using folder = new Folder();
  await folder.write("protected/x.txt", "");
  const limit = { action: "edit", resource: "protected/**", effect: "deny", layer: "user", source: "t" } as const;
  const rules = {
    rules: [{ ...limit, action: "*", resource: "*", effect: "allow" } as const, limit],
    ceilings: [],
    workspace: folder.path,
  };
  const effectOf = (resource: string) => {
    const gated = gate({ action: "edit", resource }, { workspace: folder.path, ownRoots: [], trusted: true });
    return "refused" in gated ? gated : judge(rules, "tool", gated).effect;
  };
  expect([".", "protected", "protected/", "src"].map(effectOf)).toEqual(["deny", "deny", "deny", "allow"]);
});
