import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** The system's own store of secrets. A secret goes in and out through pipes, never as an argument. */
export type Keychain = {
  name: string;
  get: (provider: string) => Promise<string | undefined>;
  /** False when it did not take it. */
  set: (provider: string, key: string) => Promise<boolean>;
  remove: (provider: string) => Promise<void>;
};

const SERVICE = "baton";

/** The keychain of this machine, looked for when a key is first wanted. */
export function commandKeychain(env: Record<string, string | undefined>): () => Keychain | undefined {
  let found: { keychain: Keychain | undefined } | undefined;
  return () => (found ??= { keychain: findKeychain(env) }).keychain;
}

/** The keychain of this machine, where there is one that a program can use without a person at the screen. */
export function findKeychain(env: Record<string, string | undefined>, platform: string = process.platform): Keychain | undefined {
  const has = (program: string) =>
    (env["PATH"] ?? "").split(path.delimiter).some((folder) => folder !== "" && existsSync(path.join(folder, program)));
  if (platform === "darwin" && has("security")) return macos(env);
  if (platform === "linux" && env["DBUS_SESSION_BUS_ADDRESS"] && has("secret-tool")) return secretService(env);
  return undefined;
}

function secretService(env: Env): Keychain {
  const of = (provider: string) => ["service", SERVICE, "provider", provider];
  return {
    name: "the keyring (secret-tool)",
    get: async (provider) => saidBy(await run("secret-tool", ["lookup", ...of(provider)], "", env)),
    set: async (provider, key) => {
      const label = `Baton: key of ${provider}`;
      return (await run("secret-tool", ["store", "--label", label, ...of(provider)], key, env)).code === 0;
    },
    remove: async (provider) => void (await run("secret-tool", ["clear", ...of(provider)], "", env)),
  };
}

function macos(env: Env): Keychain {
  const of = (provider: string) => ["-s", SERVICE, "-a", provider];
  return {
    name: "the keychain",
    get: async (provider) => saidBy(await run("security", ["find-generic-password", ...of(provider), "-w"], "", env)),
    // `security -i` reads commands from its input, so that the key is in no list of processes.
    set: async (provider, key) =>
      /^[\x21-\x7e]+$/.test(key) &&
      !/["\\]/.test(key) &&
      (await run("security", ["-i"], `add-generic-password -U -s "${SERVICE}" -a "${provider}" -w "${key}"\n`, env)).code === 0,
    remove: async (provider) => void (await run("security", ["delete-generic-password", ...of(provider)], "", env)),
  };
}

type Env = Record<string, string | undefined>;
type Said = { code: number | null; text: string };

const PATIENCE_MS = 10_000;

const saidBy = ({ code, text }: Said): string | undefined => (code === 0 && text.trim() !== "" ? text.trim() : undefined);

function run(program: string, args: string[], input: string, env: Env): Promise<Said> {
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], env, timeout: PATIENCE_MS });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    child.on("error", () => done({ code: null, text: "" }));
    child.on("close", (code) => done({ code, text }));
    child.stdin.on("error", () => undefined); // it may have ended already
    child.stdin.end(input);
  });
}
