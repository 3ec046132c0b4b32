import { useEffect, useRef, type RefObject } from "react";
import { runDetached } from "@baton/core/client/run-detached";
import type { SessionStore } from "../store/session-store.ts";

type Jump = {
  store: SessionStore;
  scroller: RefObject<HTMLElement | null>;
  show: (element: Element, block: ScrollLogicalPosition) => void;
};

/** A row that is far away is drawn some frames after its blank has come into view. */
const MAX_FRAMES = 60;
const MARKED_MS = 2_500;

/** Goes to the row of an event, loads the earlier parts that it needs, and marks the row for a moment. */
export function useJump(seq: number | undefined, jump: Jump): void {
  const latest = useRef(jump);
  latest.current = jump;
  useEffect(() => {
    if (seq === undefined) return undefined;
    const stop = new AbortController();
    runDetached(jumpTo(seq, latest.current, stop.signal), () => undefined); // without a connection the earlier parts do not come
    return () => stop.abort();
  }, [seq]);
}

async function jumpTo(seq: number, { store, scroller, show }: Jump, { aborted }: AbortSignal): Promise<void> {
  while (!aborted && store.get().hasOlder && (store.get().parts[0]?.from ?? 0) > seq) await store.loadOlder();
  await nextFrame();
  for (let frame = 0; frame < MAX_FRAMES && !aborted && scroller.current; frame++) {
    const chunk = elementAt(scroller.current.querySelectorAll<HTMLElement>(".chunk"), seq);
    const row = chunk && elementAt(chunk.querySelectorAll<HTMLElement>(".row-of"), seq);
    if (row) return mark(row, show);
    if (chunk) show(chunk, "start");
    await nextFrame();
  }
}

function mark(row: HTMLElement, show: Jump["show"]): void {
  show(row, "center");
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
  row.classList.add("found");
  setTimeout(() => row.classList.remove("found"), MARKED_MS);
}

/** The element of exactly this event, or the last one that begins before it. A queued prompt begins where it was received. */
function elementAt(elements: Iterable<HTMLElement>, seq: number): HTMLElement | undefined {
  const all = [...elements];
  const begin = ({ dataset }: HTMLElement) => Number(dataset["seq"]);
  return all.find((each) => begin(each) === seq) ?? all.findLast((each) => begin(each) <= seq);
}

const nextFrame = (): Promise<number> => new Promise(requestAnimationFrame);
