import { useEffect, useRef, useState, type RefObject } from "react";

export type Scroller = RefObject<HTMLElement | null>;

/**
 * Whether a box is in view or at most `margin` away, and the height that it had when it was last drawn. `scroller`: the box that scrolls
 * it. Without one, the transcript does.
 */
export function useNearView(initially: boolean, margin: string, scroller: Scroller | undefined) {
  const [near, setNear] = useState(initially);
  const height = useRef<number | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      ([change]) => {
        if (!change) return;
        if (!change.isIntersecting && element.childElementCount > 0) height.current = change.boundingClientRect.height;
        setNear(change.isIntersecting);
      },
      { root: scroller ? scroller.current : element.closest(".scroll"), rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [margin, scroller]);
  return { box, near, height };
}
