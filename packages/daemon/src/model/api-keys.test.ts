import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findKeychain } from "./keychain.ts";
import { openApiKeys } from "./api-keys.ts";

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "baton-keys-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test("without a keychain a key lies in a file that only its user can read, and is gone after removing it", async () => {
  const file = path.join(folder(), "keys.json");
  const keys = openApiKeys(file, () => undefined);
  expect(keys.list()).toEqual([]);
  expect(await keys.set("anthropic", "sk-1")).toEqual({ provider: "anthropic", place: "file" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await keys.get("anthropic")?.read()).toBe("sk-1");
  expect(keys.list()).toEqual([{ provider: "anthropic", place: "file" }]);
  expect([await keys.remove("anthropic"), await keys.remove("anthropic")]).toEqual([true, false]);
  expect(keys.get("anthropic")).toBeUndefined();
});

test("another program's change of the file counts, and a file that others may read is taken from them", async () => {
  const file = path.join(folder(), "keys.json");
  const keys = openApiKeys(file, () => undefined);
  await keys.set("a", "1");
  writeFileSync(file, JSON.stringify({ b: { key: "22" } }));
  chmodSync(file, 0o644);
  expect(await keys.get("b")?.read()).toBe("22");
  expect(statSync(file).mode & 0o077).toBe(0);
});

test("with a keychain the key goes there by a pipe, and the file only says that it is there", async () => {
  const home = folder();
  const tool = path.join(home, "secret-tool");
  // What the real one does, as far as it is used here: arguments are written down, the secret comes and goes by pipes.
  writeFileSync(
    tool,
    `#!/bin/sh\necho "$@" >> "${home}/args"\ncase $1 in store) cat > "${home}/secret";; lookup) cat "${home}/secret";; clear) rm -f "${home}/secret";; esac\n`,
    { mode: 0o755 },
  );
  const env = { PATH: `${home}${path.delimiter}${process.env["PATH"] ?? ""}`, DBUS_SESSION_BUS_ADDRESS: "unix:path=/dev/null" };
  const keychain = findKeychain(env, "linux");
  const file = path.join(home, "keys.json");
  const keys = openApiKeys(file, () => keychain);
  expect(await keys.set("openai", "sk-canary")).toEqual({ provider: "openai", place: "keychain" });
  expect(await keys.get("openai")?.read()).toBe("sk-canary");
  expect(readFileSync(file, "utf8") + readFileSync(path.join(home, "args"), "utf8")).not.toContain("canary");
  await keys.remove("openai");
  expect(keys.list()).toEqual([]);
});

test("no keychain is guessed where none can be used", () => {
  expect(findKeychain({ PATH: "/nowhere", DBUS_SESSION_BUS_ADDRESS: "x" }, "linux")).toBeUndefined();
  expect(findKeychain({ PATH: process.env["PATH"] }, "linux")).toBeUndefined();
});
