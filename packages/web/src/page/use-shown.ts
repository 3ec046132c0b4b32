import { useEffect, useMemo, useRef, useState } from "react";
import type { Open } from "./open-requests.ts";

export type Shown = Open & { closed: boolean };

/**
 * What is open, and what was answered while the pointer rested on a request: that keeps its place and its height until
 * the pointer has left, so that nothing moves under it.
 */
export function useShown(open: readonly Open[], hovered: boolean): readonly Shown[] {
  const before = useRef<readonly Shown[]>([]);
  return useMemo(() => {
    const known = new Set(open.map(({ request }) => request.id));
    const kept = hovered ? before.current.filter(({ request }) => !known.has(request.id)).map((shown) => ({ ...shown, closed: true })) : [];
    const shown = [...open.map((each): Shown => ({ ...each, closed: false })), ...kept].toSorted(
      (a, b) => a.request.openedAt - b.request.openedAt || a.nth - b.nth,
    );
    before.current = shown;
    return shown;
  }, [open, hovered]);
}

/** Whether the pointer rests on a request. */
export function useHovered(): boolean {
  const [hovered, setHovered] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const over = ({ target }: Event) => setHovered(target instanceof Element && target.closest(".request") !== null);
    addEventListener("pointerover", over, { signal, passive: true });
    document.documentElement.addEventListener("pointerleave", () => setHovered(false), { signal, passive: true });
    return () => abort.abort();
  }, []);
  return hovered;
}
