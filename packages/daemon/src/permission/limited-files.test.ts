import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { PROTECTED, PROTECTED_ENDINGS, PROTECTED_IN } from "./protected-names.ts";
import { floorOf, hasLimitedName } from "./protected-paths.ts";
import { limitedFiles } from "./limited-files.ts";

const KEY_FILES = [
  ".env",
  ".env.local",
  "prod.env",
  "a.p12",
  "a.pfx",
  "id_rsa",
  ".netrc",
  ".pypirc",
  ".pgpass",
  ".vault-token",
  ".git-credentials",
];
const NAMES: readonly (readonly [folder: string, name: string])[] = [
  ...PROTECTED.map((name) => ["sub", name] as const),
  ...PROTECTED_ENDINGS.map((ending) => ["sub", `x${ending}`] as const),
  ...PROTECTED_IN,
  ...KEY_FILES.map((name) => ["sub", name] as const),
  ["sub", "mise.production.toml"],
  ["sub", ".roorules-code"],
  [".aws", "credentials"],
  [".kube", "config"],
  [".docker", "config.json"],
  ["gh", "hosts.yml"],
];
/** Spellings of a name that a lenient file system treats as the same. */
const SPELLINGS = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => `${name}.`,
  (name: string) => `${name} `,
];

test("every name with a floor passes the fast filter, in every spelling", () => {
  const missed = NAMES.flatMap(([folder, name]) =>
    SPELLINGS.map((spell) => spell(name)).filter((spelled) => {
      const relative = `${folder}/${spelled}`;
      const place = { real: `/work/${relative}`, relative, inside: true };
      const hasFloor = floorOf("read", place, []) !== undefined || floorOf("edit", place, []) !== undefined;
      return hasFloor && !hasLimitedName(spelled, folder);
    }),
  );
  expect(missed).toEqual([]);
});

const free = { reads: false, edits: false, mayRead: () => false, mayEdit: () => false };

test("key files are hidden, protected names are read-only, and their content is not listed", async () => {
  using folder = new Folder();
  for (const file of ["a.ts", ".env", "sub/.env.local", "sub/.vscode/tasks.json", ".github/workflows/ci.yml", "node_modules/x/.env"])
    await folder.write(file, "x");
  mkdirSync(folder.at(".git"));
  symlinkSync("/etc/passwd", folder.at("link.env"));
  const { hidden, readOnly, isWhole } = limitedFiles(folder.path, [], free);
  expect(hidden.toSorted()).toEqual([folder.at(".env"), folder.at("sub/.env.local")]);
  expect(readOnly.toSorted()).toEqual([folder.at(".github"), folder.at("sub/.vscode")]);
  expect(isWhole).toBe(true);
});

test("rules for files hide or protect them, and a folder as a whole", async () => {
  using folder = new Folder();
  for (const file of ["src/a.ts", "secrets/b.txt", "migrations/1.sql", "migrations/2.sql"]) await folder.write(file, "x");
  const { hidden, readOnly } = limitedFiles(folder.path, [], {
    reads: true,
    edits: true,
    mayRead: (below) => !below.startsWith("secrets"),
    mayEdit: (below) => !below.startsWith("migrations/"),
  });
  expect(hidden).toEqual([folder.at("secrets")]);
  expect(readOnly).toEqual([folder.at("migrations")]);
});

test("the daemon's own folders in a workspace are hidden", async () => {
  using folder = new Folder();
  await folder.write("state/daemon.json", "x");
  expect(limitedFiles(folder.path, [folder.at("state")], free).hidden).toEqual([folder.at("state")]);
});

test("keys in a folder that is read-only are hidden, and so are private keys that git does not track", async () => {
  using folder = new Folder();
  const key = "-----BEGIN PRIVATE KEY-----\n";
  for (const [file, text] of [
    [".devcontainer/.env", "x"],
    [".devcontainer/sub/id_rsa", "x"],
    [".vscode/a.json", "x"],
    ["certs/a.pem", key],
    ["certs/b.pem", "x"],
  ] as const)
    await folder.write(file, text);
  const { hidden, readOnly } = limitedFiles(folder.path, [], free);
  expect(hidden.toSorted()).toEqual([".devcontainer/.env", ".devcontainer/sub/id_rsa", "certs/a.pem"].map((file) => folder.at(file)));
  expect(readOnly.toSorted()).toEqual([".devcontainer", ".vscode"].map((file) => folder.at(file)));
});

test("programs of the user and of the system ask, also if the workspace is the home folder or the root", () => {
  const home = realpathSync(homedir());
  const floor = (real: string, workspace: string) =>
    floorOf("edit", { real, relative: path.relative(workspace, real), inside: true }, [])?.effect;
  expect(floor(path.join(home, ".local/bin/git"), home)).toBe("ask");
  expect(floor(path.join(home, "src/a.ts"), home)).toBeUndefined();
  expect(floor("/usr/local/bin/git", "/")).toBe("ask");
  expect(floor("/opt/work/a.ts", "/opt/work")).toBeUndefined();
  expect(floor(path.join(home, "go/bin/x"), path.join(home, "go/bin"))).toBeUndefined();
});
