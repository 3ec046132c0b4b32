import { chmodSync, readFileSync, statSync } from "node:fs";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod";
import type { ProviderKey } from "./model-registry.ts";
import type { Keychain } from "./keychain.ts";

/** Where a provider's key was put. */
export type StoredKey = { provider: string; place: "keychain" | "file" };

export type ApiKeys = {
  list: () => StoredKey[];
  get: (provider: string) => ProviderKey | undefined;
  set: (provider: string, key: string) => Promise<StoredKey>;
  /** False when there was none. */
  remove: (provider: string) => Promise<boolean>;
};

/** `since` tells one key from the one before it. */
const File = z.record(z.string(), z.union([z.object({ keychain: z.literal(true), since: z.number() }), z.object({ key: z.string() })]));
type File = z.infer<typeof File>;

/**
 * Keys that a person gave to Baton: in the system's keychain where there is one, else in a file that only its user can read
 * (0600). The file also says for which providers the keychain has one. It is read again when it has changed.
 */
export function openApiKeys(file: string, keychain: () => Keychain | undefined): ApiKeys {
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
      return { stamp: `keychain ${entry.since}`, read: async () => keychain()?.get(provider) };
    },
    async set(provider, key) {
      const kept = (await keychain()?.set(provider, key)) ?? false;
      await write({ ...now(), [provider]: kept ? { keychain: true, since: Date.now() } : { key } });
      return { provider, place: kept ? "keychain" : "file" };
    },
    async remove(provider) {
      const { [provider]: entry, ...rest } = now();
      if (!entry) return false;
      if (!("key" in entry)) await keychain()?.remove(provider);
      await write(rest);
      return true;
    },
  };
}

/** A file that others may read is taken from them first. One that is damaged holds no keys; the next login writes it anew. */
function parsed(file: string): File {
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  try {
    return File.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}
