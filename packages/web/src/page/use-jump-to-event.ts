import { useEffect, useRef, type RefObject } from "react";
import { runDetached } from "@baton/core/client/run-detached";
import type { SessionViewStore } from "../store/session/session-store.ts";

type Jump = {
  store: SessionViewStore;
  scroller: RefObject<HTMLElement | null>;
  show: (element: Element, block: ScrollLogicalPosition) => void;
};

/** A row that is far away is drawn some frames after its blank has come into view. */
const MAX_FRAMES = 120;
/** Rows above the view are drawn later and push the row away. It has arrived when it has stayed in view for this many frames. */
const STEADY_FRAMES = 12;
const MARKED_MS = 2_500;

/** Goes to the row of an event, loads the earlier parts that it needs, and marks the row for a moment. */
export function useJumpToEvent(seq: number | undefined, jump: Jump): void {
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
  let steady = 0;
  for (let frame = 0; frame < MAX_FRAMES && !aborted && scroller.current; frame++) {
    const chunk = elementAt(scroller.current.querySelectorAll<HTMLElement>(".chunk"), seq);
    const row = chunk && elementAt(chunk.querySelectorAll<HTMLElement>(".row-of"), seq);
    steady = row && isInView(row, scroller.current) ? steady + 1 : 0;
    if (row && steady === STEADY_FRAMES) return mark(row);
    if (row && steady === 0) show(row, "center");
    else if (!row && chunk) show(chunk, "start");
    await nextFrame();
  }
}

/** Whether a row is whole in view or, if it is taller than the view, covers its middle. */
function isInView(row: HTMLElement, scroller: HTMLElement): boolean {
  const [at, view] = [row.getBoundingClientRect(), scroller.getBoundingClientRect()];
  if (at.height <= view.height) return at.top >= view.top && at.bottom <= view.bottom;
  const middle = view.top + view.height / 2;
  return at.top <= middle && at.bottom >= middle;
}

function mark(row: HTMLElement): void {
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
