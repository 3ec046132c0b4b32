import { spawn } from "node:child_process";

/** The credential store of the operating system. A secret is never an argument of a program. */
export type Keychain = {
  get: (provider: string) => Promise<string | undefined>;
  /** False where the store did not accept the key. */
  set: (provider: string, key: string) => Promise<boolean>;
  remove: (provider: string) => Promise<void>;
};

type Env = Record<string, string | undefined>;

const SERVICE = "baton";
const TIMEOUT_MS = 10_000;

/**
 * The Secret Service on Linux, the keychain on macOS, the Credential Manager on Windows. Undefined on Linux without a session bus,
 * as in a container. A store that cannot be reached accepts no key, so the key goes to the file instead.
 */
export function systemKeychain(env: Env, platform: string = process.platform): Keychain | undefined {
  if (platform === "linux" && !env["DBUS_SESSION_BUS_ADDRESS"]) return undefined;
  const calls = inSequence();
  const earlier = (command: "get" | "remove", provider: string) => runEarlierProgram(command, provider, env, platform);
  return {
    async get(provider) {
      const key = await calls(async () => (await entry(provider)).getPassword()).catch(() => null); // the store is locked or unreachable
      return key ?? (await earlier("get", provider));
    },
    async set(provider, key) {
      const isStored = await calls(async () => (await entry(provider)).setPassword(key)).then(
        () => true,
        () => false,
      );
      if (isStored && platform === "linux") await earlier("remove", provider);
      return isStored;
    },
    async remove(provider) {
      await calls(async () => (await entry(provider)).deletePassword()).catch(() => false);
      await earlier("remove", provider);
    },
  };
}

/** The kernel's keyring, which the library would fall back to on Linux, forgets its keys at a restart. */
async function entry(provider: string) {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  return new AsyncEntry(SERVICE, provider, { linux: { store: "secret-service" } });
}

/**
 * Runs calls one after the other, each with a time limit. A locked store may wait for the user in a thread that Node also needs for
 * files; in this way it never holds more than one.
 */
function inSequence(): <T>(call: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    const result = last.then(call);
    last = result.catch(() => undefined);
    return within(result);
  };
}

function within<T>(result: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new Error("The keychain did not answer.")), TIMEOUT_MS);
  void result.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}

/**
 * Earlier versions of Baton stored keys through these programs. The Secret Service keeps such keys under other attributes, and macOS
 * may deny a key to a program that did not store it.
 */
const EARLIER_PROGRAMS: Partial<Record<string, { program: string; get: string[]; remove: string[]; of: (provider: string) => string[] }>> =
  {
    linux: { program: "secret-tool", get: ["lookup"], remove: ["clear"], of: (provider) => ["service", SERVICE, "provider", provider] },
    darwin: {
      program: "security",
      get: ["find-generic-password", "-w"],
      remove: ["delete-generic-password"],
      of: (provider) => ["-s", SERVICE, "-a", provider],
    },
  };

async function runEarlierProgram(command: "get" | "remove", provider: string, env: Env, platform: string): Promise<string | undefined> {
  const earlier = EARLIER_PROGRAMS[platform];
  if (!earlier) return undefined;
  const output = await outputOf(earlier.program, [...earlier[command], ...earlier.of(provider)], env);
  return output === "" ? undefined : output;
}

/** The trimmed output of a program; empty where it fails or is not installed. */
function outputOf(program: string, args: string[], env: Env): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], env, timeout: TIMEOUT_MS });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  child.on("error", () => resolve(""));
  child.on("close", (code) => resolve(code === 0 ? text.trim() : ""));
  return promise;
}
