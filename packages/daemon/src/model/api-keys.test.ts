import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { systemKeychain, type Keychain } from "../system/platform/keychain.ts";
import { openApiKeys } from "./api-keys.ts";

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "baton-keys-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** The library reads the address from the process. Tests must not use the keyring of the user who runs them. */
beforeEach(() => void vi.stubEnv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/dev/null"));
afterEach(() => void vi.unstubAllEnvs());

test("without a keychain a key is in a file that only its user can read, and is gone after its removal", async () => {
  const file = path.join(folder(), "keys.json");
  const keys = openApiKeys(file, undefined);
  expect(keys.list()).toEqual([]);
  expect(await keys.set("anthropic", "sk-1")).toEqual({ provider: "anthropic", place: "file" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await keys.get("anthropic")?.read()).toBe("sk-1");
  expect(keys.list()).toEqual([{ provider: "anthropic", place: "file" }]);
  expect([await keys.remove("anthropic"), await keys.remove("anthropic")]).toEqual([true, false]);
  expect(keys.get("anthropic")).toBeUndefined();
});

test("a change of the file by another program applies, and a file that others may read becomes private", async () => {
  const file = path.join(folder(), "keys.json");
  const keys = openApiKeys(file, undefined);
  await keys.set("a", "1");
  writeFileSync(file, JSON.stringify({ b: { key: "22" } }));
  chmodSync(file, 0o644);
  expect(await keys.get("b")?.read()).toBe("22");
  expect(statSync(file).mode & 0o077).toBe(0);
});

test("with a keychain the key is stored there, and the file only says so", async () => {
  const file = path.join(folder(), "keys.json");
  const stored = new Map<string, string>();
  const keychain: Keychain = {
    get: (provider) => Promise.resolve(stored.get(provider)),
    set: (provider, key) => Promise.resolve(Boolean(stored.set(provider, key))),
    remove: (provider) => Promise.resolve(void stored.delete(provider)),
  };
  const keys = openApiKeys(file, keychain);
  expect(await keys.set("openai", "sk-canary")).toEqual({ provider: "openai", place: "keychain" });
  expect(await keys.get("openai")?.read()).toBe("sk-canary");
  expect(readFileSync(file, "utf8")).not.toContain("canary");
  await keys.remove("openai");
  expect([keys.list(), stored.size]).toEqual([[], 0]);
});

test("a key that secret-tool stored for an earlier version is found, moved through pipes only, and removed", async () => {
  const home = folder();
  // The program writes down its arguments, and prints the secret, as the real program does.
  writeFileSync(
    path.join(home, "secret-tool"),
    `#!/bin/sh\necho "$@" >> "${home}/args"\ncase $1 in lookup) cat "${home}/secret";; clear) rm -f "${home}/secret";; esac\n`,
    { mode: 0o755 },
  );
  writeFileSync(path.join(home, "secret"), "sk-canary");
  const env = { PATH: `${home}${path.delimiter}${process.env["PATH"] ?? ""}`, DBUS_SESSION_BUS_ADDRESS: "unix:path=/dev/null" };
  const file = path.join(home, "keys.json");
  writeFileSync(file, JSON.stringify({ openai: { keychain: true, since: 1 } }));
  const keys = openApiKeys(file, systemKeychain(env, "linux"));
  expect(await keys.get("openai")?.read()).toBe("sk-canary");
  expect(readFileSync(file, "utf8") + readFileSync(path.join(home, "args"), "utf8")).not.toContain("canary");
  await keys.remove("openai");
  expect([keys.list(), await systemKeychain(env, "linux")?.get("openai")]).toEqual([[], undefined]);
});

test("a key is stored in a file if the keychain cannot be reached", async () => {
  const env = { PATH: "/nowhere", DBUS_SESSION_BUS_ADDRESS: "unix:path=/dev/null" };
  const keys = openApiKeys(path.join(folder(), "keys.json"), systemKeychain(env, "linux"));
  expect(await keys.set("openai", "sk-1")).toEqual({ provider: "openai", place: "file" });
  expect(await keys.get("openai")?.read()).toBe("sk-1");
});

test("a container without a session bus has no keychain", () => {
  expect(systemKeychain({ PATH: process.env["PATH"] }, "linux")).toBeUndefined();
});
