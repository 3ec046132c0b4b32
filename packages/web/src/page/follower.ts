const NEAR_END = 32;

/**
 * Keeps still what a person looks at. A request under the pointer, else the one that is now, keeps its place on the
 * screen; else the end stays in view, unless somebody scrolled up: then the topmost row that is seen keeps its place.
 */
export class Follower {
  readonly #scroller: HTMLElement;
  readonly #observer: ResizeObserver;
  readonly #abort = new AbortController();
  readonly #onTop: () => void;
  /** What lies over the lower edge; what stays in view above it is told its height. */
  readonly #dock: HTMLElement | null;
  #stuck = true;
  #held: { element: Element; top: number } | undefined;
  #lastTop = 0;

  constructor(scroller: HTMLElement, content: HTMLElement, onTop: () => void) {
    this.#scroller = scroller;
    this.#onTop = onTop;
    const { signal } = this.#abort;
    scroller.addEventListener("scroll", () => this.#scrolled(), { signal, passive: true });
    content.addEventListener("pointerover", () => this.#pointed(), { signal, passive: true });
    this.#observer = new ResizeObserver(() => this.settle());
    this.#observer.observe(content);
    this.#observer.observe(scroller);
    this.#dock = scroller.querySelector<HTMLElement>(":scope > .dock");
    if (this.#dock) this.#observer.observe(this.#dock);
    this.settle();
  }

  get atEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    return scrollHeight - scrollTop - clientHeight < NEAR_END;
  }

  toEnd(): void {
    this.#stuck = true;
    this.#held = undefined;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** Brings an element into view; the end is not followed meanwhile. */
  show(element: Element, block: ScrollLogicalPosition = "nearest"): void {
    this.#held = undefined;
    element.scrollIntoView({ block });
    this.#stuck = this.atEnd;
    this.#hold();
  }

  /** After the content has changed its size. */
  settle(): void {
    this.#scroller.style.setProperty("--dock", `${this.#dock?.offsetHeight ?? 0}px`);
    if (this.#held?.element.isConnected) this.#keep(this.#held);
    else if (this.#stuck) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#hold();
    if (!this.#stuck || this.#scroller.scrollHeight <= this.#scroller.clientHeight) this.#nearTop();
  }

  close(): void {
    this.#abort.abort();
    this.#observer.disconnect();
  }

  /** What moved it, other than scrolling, is taken back. */
  #keep({ element, top }: { element: Element; top: number }): void {
    const scrolled = this.#scroller.scrollTop - this.#lastTop;
    const moved = element.getBoundingClientRect().top - (top - scrolled);
    if (Math.abs(moved) >= 1) this.#scroller.scrollTop += moved;
  }

  #scrolled(): void {
    const up = this.#scroller.scrollTop < this.#lastTop - 1;
    if (this.#held?.element.isConnected) this.#keep(this.#held);
    if (this.atEnd) this.#stuck = true;
    else if (up) this.#stuck = false;
    this.#hold();
    this.#nearTop();
  }

  /** The browser tells of the pointer before it tells of sizes: what has moved meanwhile goes back first. */
  #pointed(): void {
    if (this.#held?.element.isConnected) this.#keep(this.#held);
    this.#hold();
  }

  #nearTop(): void {
    if (this.#scroller.scrollTop < this.#scroller.clientHeight * 2) this.#onTop();
  }

  #hold(): void {
    const hovered = this.#scroller.querySelector(".request:hover");
    const now = this.#scroller.querySelector(".request.now");
    this.#lastTop = this.#scroller.scrollTop;
    const element = hovered ?? (now && isSeen(now, this.#scroller) ? now : this.#stuck ? undefined : topmost(this.#scroller));
    this.#held = element ? { element, top: element.getBoundingClientRect().top } : undefined;
  }
}

/** The first row that is seen. */
function topmost(scroller: HTMLElement): Element | undefined {
  const { left, top, width } = scroller.getBoundingClientRect();
  for (const down of [8, 60])
    for (const element of document.elementsFromPoint(left + width / 2, top + down)) {
      const row = element.closest(".row-of");
      if (row) return row;
    }
  return undefined;
}

/** Whether any of it is seen, above what lies over the lower edge. */
function isSeen(element: Element, scroller: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > scroller.getBoundingClientRect().top && top < lowerEdge(scroller);
}

const lowerEdge = (scroller: HTMLElement): number =>
  scroller.querySelector(":scope > .dock")?.getBoundingClientRect().top ?? scroller.getBoundingClientRect().bottom;

/** Whether a request can be answered by key: its choices are seen, whole. */
export function choicesInView(scroller: HTMLElement, requestId: string): boolean {
  const choices = scroller.querySelector(`[data-request="${CSS.escape(requestId)}"] :is(.choices, .choices-of)`);
  if (!choices) return false;
  const { top, bottom } = choices.getBoundingClientRect();
  return top >= scroller.getBoundingClientRect().top - 1 && bottom <= lowerEdge(scroller) + 1;
}
