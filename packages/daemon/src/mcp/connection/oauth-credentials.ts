import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";

/** The OAuth data of one MCP server, in the format of the SDK. */
export type Credential = { client?: unknown; tokens?: unknown; verifier?: string };

/** The OAuth data of all servers, in a file that only its user can read. */
export type Credentials = {
  read: (key: string) => Credential;
  write: (key: string, change: Credential) => Promise<void>;
};

export function openCredentials(file: string): Credentials {
  let known: Record<string, Credential> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const all = (): Record<string, Credential> => (known ??= readAll(file));
  return {
    read: (key) => (Object.hasOwn(all(), key) ? (all()[key] ?? {}) : {}),
    write(key, change) {
      known = { ...all(), [key]: { ...all()[key], ...change } };
      const text = JSON.stringify(known);
      const work = queue.then(async () => {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(`${file}.tmp`, text, { mode: 0o600 });
        await rename(`${file}.tmp`, file);
      });
      queue = work.catch(() => undefined);
      return work;
    },
  };
}

function readAll(file: string): Record<string, Credential> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, Credential>; // only written here
  } catch {
    return {}; // the file is missing or incomplete; a login writes it again
  }
}
