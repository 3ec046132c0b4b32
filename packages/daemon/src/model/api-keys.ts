import { chmodSync, readFileSync, statSync } from "node:fs";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod";
import type { ProviderKey } from "./model-registry.ts";
import type { Keychain } from "../system/platform/keychain.ts";

/** Where Baton stored a provider's key. */
type StoredKey = { provider: string; place: "keychain" | "file" };

export type ApiKeys = {
  list: () => StoredKey[];
  get: (provider: string) => ProviderKey | undefined;
  set: (provider: string, key: string) => Promise<StoredKey>;
  /** False if there was no key. */
  remove: (provider: string) => Promise<boolean>;
};

/** `since` distinguishes a key from the previous one. */
const File = z.record(z.string(), z.union([z.object({ keychain: z.literal(true), since: z.number() }), z.object({ key: z.string() })]));
type File = z.infer<typeof File>;

/**
 * The API keys that the user gave to Baton. They are in the keychain of the operating system or, without one, in a file that only its user
 * can read (0600). The file also lists the providers with a key in the keychain. Baton reads it again when it has changed.
 */
export function openApiKeys(file: string, keychain: Keychain | undefined): ApiKeys {
  let read: { stamp: string; keys: File } = { stamp: "", keys: {} };

  const now = (): File => {
    const stats = statSync(file, { throwIfNoEntry: false });
    const stamp = stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : "";
    if (stamp !== read.stamp) read = { stamp, keys: stats ? parsed(file) : {} };
    return read.keys;
  };
  const write = (keys: File) => writeFileAtomic(file, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600 });

  return {
    list: () => Object.entries(now()).map(([provider, entry]) => ({ provider, place: "key" in entry ? "file" : "keychain" })),
    get(provider) {
      const entry = now()[provider];
      if (!entry) return undefined;
      if ("key" in entry) return { stamp: entry.key, read: () => Promise.resolve(entry.key) };
      return { stamp: `keychain ${entry.since}`, read: async () => keychain?.get(provider) };
    },
    async set(provider, key) {
      const isInKeychain = (await keychain?.set(provider, key)) ?? false;
      await write({ ...now(), [provider]: isInKeychain ? { keychain: true, since: Date.now() } : { key } });
      return { provider, place: isInKeychain ? "keychain" : "file" };
    },
    async remove(provider) {
      const { [provider]: entry, ...rest } = now();
      if (!entry) return false;
      if (!("key" in entry)) await keychain?.remove(provider);
      await write(rest);
      return true;
    },
  };
}

/** Makes a file private if others can read it. A damaged file has no keys; the next login replaces it. */
function parsed(file: string): File {
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  try {
    return File.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}
