/** The windows of editors that follow the inbox, and which of them brings up the requests of each session. Nothing of it outlives the daemon. */
export type EditorWindows = {
  /** A window is open on this connection until the function that comes back is called. */
  open: (connection: object, window: string) => () => void;
  /** Somebody prompted a session over this connection, which may be no window's. */
  prompted: (connection: object, sessionId: string) => void;
  /** The open window that brings up what the session asks: the one that prompted it last, else the first that adopted it. */
  of: (sessionId: string) => string | undefined;
  /** A window takes a session that no open window has. Gives whether it has it now. */
  adopt: (connection: object, sessionId: string) => boolean;
};

/** A window keeps its name over a cut, so its sessions are still its own when it comes back on another connection. */
export function openEditorWindows(): EditorWindows {
  const openOn = new Map<object, string>();
  const owners = new Map<string, string>();
  const of = (sessionId: string) => {
    const owner = owners.get(sessionId);
    return [...openOn.values()].find((each) => each === owner);
  };
  return {
    open(connection, window) {
      openOn.set(connection, window);
      return () => void openOn.delete(connection);
    },
    prompted(connection, sessionId) {
      const window = openOn.get(connection);
      if (window === undefined) owners.delete(sessionId);
      else owners.set(sessionId, window);
    },
    of,
    adopt(connection, sessionId) {
      const window = openOn.get(connection);
      if (window === undefined) return false;
      if (of(sessionId) === undefined) owners.set(sessionId, window);
      return of(sessionId) === window;
    },
  };
}
