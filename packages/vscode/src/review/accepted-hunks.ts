import type { Memento } from "vscode";

const KEY = "baton.acceptedHunks";
/** The accepted hunks of older sessions are forgotten. */
const MAX_SESSIONS = 20;

type Stored = Record<string, string[]>;

/** The hunks that the user has accepted, by session. Only this workspace's editor knows them. */
export type AcceptedHunks = {
  has: (sessionId: string, key: string) => boolean;
  add: (sessionId: string, keys: readonly string[]) => Promise<void>;
};

export function acceptedHunks(memento: Pick<Memento, "get" | "update">): AcceptedHunks {
  const read = () => memento.get<Stored>(KEY) ?? {};
  return {
    has: (sessionId, key) => read()[sessionId]?.includes(key) ?? false,
    add: async (sessionId, keys) => {
      const { [sessionId]: known = [], ...others } = read();
      const newest = Object.entries(others).slice(-MAX_SESSIONS + 1);
      await memento.update(KEY, { ...Object.fromEntries(newest), [sessionId]: [...new Set([...known, ...keys])] });
    },
  };
}
