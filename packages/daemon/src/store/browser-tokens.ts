import { hash, randomBytes } from "node:crypto";
import type { Database } from "./database/database.ts";

/** What pages show to come in. Only hashes are kept; a token holds until it has not been used for 30 days. */
export type BrowserTokens = {
  issue: (now: number) => Promise<string>;
  /** Whether the token was issued here and still holds. */
  accept: (token: string, now: number) => Promise<boolean>;
};

const HOLDS_MS = 30 * 24 * 60 * 60 * 1_000;

export function openBrowserTokens(database: Database): BrowserTokens {
  /** Those that could not be written down hold as long as this daemon runs: a page is wanted most when the store is not well. */
  const passing = new Set<string>();
  return {
    async issue(now) {
      const token = randomBytes(32).toString("base64url");
      const written = database.write([
        { sql: "DELETE FROM browser_token WHERE used_at < ?", args: [now - HOLDS_MS] },
        { sql: "INSERT INTO browser_token (hash, created_at, used_at) VALUES (?,?,?)", args: [hashOf(token), now, now] },
      ]);
      await written.catch(() => passing.add(hashOf(token)));
      return token;
    },
    async accept(token, now) {
      const hash = hashOf(token);
      if (passing.has(hash)) return true;
      const [row] = await database.query({ sql: "SELECT used_at FROM browser_token WHERE hash = ?", args: [hash] });
      if (!row || Number(row["used_at"]) < now - HOLDS_MS) return false;
      await database.write([{ sql: "UPDATE browser_token SET used_at = ? WHERE hash = ?", args: [now, hash] }]).catch(() => undefined);
      return true;
    },
  };
}

const hashOf = (token: string): string => hash("sha256", token, "base64url");
