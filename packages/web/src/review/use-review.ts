import { omitUndefined } from "@baton/core/text/omit-undefined";
import { useMemo } from "react";
import type { Api } from "../connection/connection-types.ts";
import { useApp, useConnected, useObservableValue } from "../store/app-context.ts";
import { useSessionSnapshot } from "../store/session/session-context.ts";
import { useQuery } from "../store/data/use-query.ts";
import type { PlaceDiffBase } from "../store/route.ts";
import { parseComments, type LineComment } from "./line-comments.ts";

export type SessionChange = Awaited<ReturnType<Api["session"]["changes"]["query"]>>[number];

const DELAY_MS = 300;

/** The changes of a session, of one turn or of a place. Asks again while the session works. */
export function useChanges(
  id: string,
  promptId: string | undefined,
  ofPlace: { place: string; since: PlaceDiffBase } | undefined,
): { changes: readonly SessionChange[] | undefined; refetch: () => Promise<void> } {
  const { link, tell } = useApp();
  const connected = useConnected();
  const seq = useSessionSnapshot((snapshot) => snapshot.seq);
  const load = (signal: AbortSignal) =>
    ofPlace
      ? placeChanges(link.api, ofPlace, signal)
      : link.api.session.changes.query({ sessionId: id, ...omitUndefined({ promptId }) }, { signal });
  const { data, refetch } = useQuery(connected ? load : undefined, [link, id, promptId, ofPlace?.place, ofPlace?.since, seq], {
    delayMs: DELAY_MS,
    refetchOnFocus: true,
    onError: tell,
  });
  return { changes: data, refetch };
}

/** The changes of a place in the form of those of a session. Git compares them, so no blob has their contents. */
async function placeChanges(
  api: Api,
  { place, since }: { place: string; since: PlaceDiffBase },
  signal: AbortSignal,
): Promise<readonly SessionChange[]> {
  const scope = since === "base" ? "base" : "uncommitted";
  const files = await api.place.changes.query({ place, comparison: { scope } }, { signal });
  return files.map(({ path, change, view }) => {
    const version = digest(JSON.stringify(view));
    const before = change === "create" ? null : "base";
    return { path, before, after: change === "delete" ? null : version, elsewhere: false, current: true, ...omitUndefined({ view }) };
  });
}

/** Tells versions of a change apart. It need not be secure. */
function digest(text = ""): string {
  let value = 0;
  for (let i = 0; i < text.length; i++) value = (value * 31 + text.charCodeAt(i)) | 0;
  return `${text.length}-${value}`;
}

/** The comments that are not sent yet. They survive a reload of the tab. */
export function useComments(id: string): { comments: readonly LineComment[]; setComments: (comments: readonly LineComment[]) => void } {
  const draft = useApp().drafts.of(`review.${id}`);
  const stored = useObservableValue(draft);
  const comments = useMemo(() => parseComments(stored), [stored]);
  return { comments, setComments: (next) => draft.set(next.length === 0 ? "" : JSON.stringify(next)) };
}

/** Which changes the user has marked as seen. A file that changes again is no longer seen. */
export function useSeenFiles(id: string): {
  isSeen: (change: SessionChange) => boolean;
  setSeen: (change: SessionChange, seen: boolean) => void;
} {
  const draft = useApp().drafts.of(`seen.${id}`);
  const stored = useObservableValue(draft);
  const known = useMemo(() => new Map(parseSeen(stored)), [stored]);
  return {
    isSeen: (change) => known.get(change.path) === versionOf(change),
    setSeen: (change, seen) => {
      const others = [...known].filter(([path]) => path !== change.path);
      draft.set(JSON.stringify(seen ? [...others, [change.path, versionOf(change)]] : others));
    },
  };
}

const versionOf = ({ before, after }: SessionChange): string => `${before?.slice(0, 12) ?? ""} ${after?.slice(0, 12) ?? ""}`;

function parseSeen(stored: string): [string, string][] {
  try {
    return stored === "" ? [] : (JSON.parse(stored) as [string, string][]); // written by this page
  } catch {
    return []; // not written by this page
  }
}
