/**
 * The editor windows that follow the inbox, and which of them shows the requests of each session. Lost when the daemon stops.
 */
export type EditorWindows = {
  /** Opens a window on this connection until the returned function is called. */
  open: (connection: object, window: string) => () => void;
  /** Records that a user prompted a session over this connection, which may belong to no window. */
  prompted: (connection: object, sessionId: string) => void;
  /**
   * The open window that shows the requests of a session: the one that prompted it last, otherwise the first that adopted it.
   */
  of: (sessionId: string) => string | undefined;
  /** Gives a session to a window, unless another open window has it. Returns whether the window has it now. */
  adopt: (connection: object, sessionId: string) => boolean;
};

/** A window keeps its name when its connection breaks, so its sessions are still its own after a reconnect. */
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
