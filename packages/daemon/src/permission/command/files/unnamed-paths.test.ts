import { symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { effectOf, repository, rule } from "../../../../test/support/limited-repository.ts";

test("a deny holds for what an archive may write through a link in the folder that it fills", async () => {
  using folder = await repository();
  await symlink("../secrets", folder.at("src/link"));
  const texts = [
    "tar xf x.tar -C src",
    "tar -xf x.tar --strip-components=1 -C src",
    "unzip x.zip -d src",
    "rsync -aK sub/ src/",
    "rsync -aK sub/ src/ -v",
  ];
  const effects = texts.map((text) => [text, effectOf(folder, text, rule("edit", "secrets/**", "deny"))]);
  expect(effects).toEqual(texts.map((text) => [text, "ask"]));
  expect(effectOf(folder, "tar xf x.tar -C sub", rule("edit", "secrets/**", "deny"))).toBe("allow");
});

test("a deny of a file holds for a path in a container that may be the same file", async () => {
  using folder = await repository();
  const texts = [
    "docker exec x cat /w/secrets/db.txt",
    "docker compose exec app sh -c 'cat /w/secrets/db.txt'",
    "docker exec x tee /w/secrets/new.txt",
  ];
  const denied = texts.map((text) => [text, effectOf(folder, text, rule(/tee|unzip/.test(text) ? "edit" : "read", "secrets/**", "deny"))]);
  expect(denied).toEqual(texts.map((text) => [text, "ask"]));
  const others = ["docker exec x cat /w/src/a.ts", "docker exec x cat /etc/hosts", "docker exec -w /w x npm test"];
  for (const text of others) expect([text, effectOf(folder, text, rule("read", "secrets/**", "deny"))]).toEqual([text, "allow"]);
  expect(effectOf(folder, "docker exec x cat /w/secrets/db.txt", rule("edit", "secrets/**", "deny"))).toBe("allow");
});

test("a command in a container that goes through all of a folder may go through the workspace", async () => {
  using folder = await repository();
  const denied = rule("read", "secrets/**", "deny");
  const texts = [
    "docker exec x grep -r k /w",
    "docker exec -w /w x rg k",
    "docker compose exec app sh -c 'cd /w && grep -rn k .'",
    "docker compose exec app tar cz /usr/src/app",
    "docker exec app find /w -type f -exec cat {} +",
  ];
  for (const text of texts) expect([text, effectOf(folder, text, denied)]).toEqual([text, "ask"]);
  const others = ["docker exec x grep -rn k src", "docker exec x grep -rn k /w/src", "docker exec x rg k /etc", "docker exec x ls /w"];
  for (const text of others) expect([text, effectOf(folder, text, denied)]).toEqual([text, "allow"]);
  expect(effectOf(folder, "docker exec x grep -r k .", denied)).toBe("deny");
  expect(effectOf(folder, "docker exec app chown -R node /w", rule("edit", "secrets/**", "deny"))).toBe("ask");
});

test("curl and wget write through a link in the folder into which they save", async () => {
  using folder = await repository();
  await symlink("../secrets/new", folder.at("src/link"));
  const texts = [
    "curl --output-dir src -O http://localhost/link",
    "curl --output-dir src -o link http://localhost/x",
    "wget -P src http://localhost/link",
    "wget -Psrc http://localhost/a/link",
  ];
  for (const text of texts) expect([text, effectOf(folder, text, rule("edit", "secrets/**", "deny"))]).toEqual([text, "deny"]);
  expect(effectOf(folder, "wget -P src http://localhost/other", rule("edit", "secrets/**", "deny"))).toBe("allow");
});

test("a folder that mkdir makes on the way counts", async () => {
  using folder = await repository();
  for (const text of ["mkdir -p secrets/new/../../src/b", "mkdir -p secrets/new/..", "install -D README.md secrets/new/../../src/b"])
    expect([text, effectOf(folder, text, rule("edit", "secrets/**", "deny"))]).toEqual([text, "deny"]);
  expect(effectOf(folder, "mkdir -p src/new/../b", rule("edit", "secrets/**", "deny"))).toBe("allow");
  expect(effectOf(folder, "mkdir -p .git/hooks/x/../../../src/b", rule("read", "x", "deny"))).toBe("ask");
});

test("pnpm and yarn pack what npm packs", async () => {
  using folder = await repository();
  for (const text of ["npm pack", "pnpm -r pack", "yarn pack", "npm -s pack"])
    expect([text, effectOf(folder, text, rule("read", "secrets/**", "deny"))]).toEqual([text, "deny"]);
});

test("a search that follows no links does not list one to a file of keys", async () => {
  using folder = await repository();
  await folder.write(".env", "KEY=1");
  await symlink("../.env", folder.at("src/settings"));
  const other = rule("read", "other", "deny");
  for (const text of ["rg -l x | xargs wc -l", "rg -l x src | xargs wc -l", "grep -rl x src | xargs wc -l"])
    expect([text, effectOf(folder, text, other)]).toEqual([text, "allow"]);
  await symlink(".env", folder.at("envlink"));
  for (const text of ["rg --files env* | xargs cat", "cat $(rg --files env*)", "rg --files sr*/settings | xargs cat"])
    expect([text, effectOf(folder, text, other)]).toEqual([text, "ask"]);
  for (const text of [
    "rg -L -l x | xargs cat",
    "rg -l x src/settings | xargs cat",
    "rg --hidden -l x | xargs cat",
    "fd -e ts . src | xargs cat",
  ])
    expect([text, effectOf(folder, text, other)]).toEqual([text, "ask"]);
});

test("a deny of edits holds for files behind a link that a pattern in a search matches", async () => {
  using folder = await repository();
  await symlink("secrets", folder.at("seclink"));
  const lists = ["rg --files secl*", "grep -rl x secl*", "find secl*/ -type f", "fd . secl*"];
  for (const list of lists) {
    const text = `${list} | xargs sed -i s/a/b/`;
    expect([text, effectOf(folder, text, rule("edit", "secrets/**", "deny"))]).not.toEqual([text, "allow"]);
  }
  expect(effectOf(folder, "rg --files src | xargs sed -i s/a/b/", rule("edit", "secrets/**", "deny"))).toBe("allow");
});

test("a command in a container only reads if its program does", async () => {
  using folder = await repository();
  const denied = rule("edit", "secrets/**", "deny");
  const changing = [
    "docker exec cat tee /app/secrets/x",
    "docker compose exec app sh -c 'ls /app && rm /app/secrets/db.txt'",
    "docker exec app sort -o /app/secrets/x /app/README.md",
    "docker exec app uniq /app/README.md /app/secrets/x",
  ];
  for (const text of changing) expect([text, effectOf(folder, text, denied)]).toEqual([text, "ask"]);
  const reading = [
    "docker exec -u root app cat /app/secrets/db.txt",
    "docker exec app sh -c 'cd /app && head -3 /app/secrets/db.txt | sort'",
  ];
  for (const text of reading) expect([text, effectOf(folder, text, denied)]).toEqual([text, "allow"]);
});
