const NEAR_END = 32;

/** The margin between choices and the fade above the dock. The style sheet uses the same value. */
const CLEAR = 6;

/** How long a wheel or a finger may move the view after its last event, in milliseconds. */
const SCROLLS_FOR = 300;

/** An element of which one edge keeps its position on the screen. */
type HeldElement = { element: Element; edge: "top" | "bottom"; at: number };

type Follows = {
  /** Called when the first part comes near the view, to load earlier entries. */
  onTop: () => void;
  /** Called after the scroll position was corrected. */
  onLayout: () => void;
  onFollowing: (following: boolean) => void;
};

/**
 * Keeps what the user looks at in place. A request under the pointer, or the active one, keeps its position. Otherwise the
 * end stays in view, or, after the user has scrolled up, the topmost visible row.
 */
export class ScrollAnchor {
  readonly #scroller: HTMLElement;
  readonly #observer: ResizeObserver;
  readonly #abort = new AbortController();
  readonly #content: HTMLElement;
  readonly #follows: Follows;
  /** The element that covers the lower edge. */
  readonly #dock: HTMLElement | null;
  #stuck = true;
  /** Heights of the blanks that replace removed content. */
  #above = 0;
  #below = 0;
  #held: HeldElement | undefined;
  #last = { top: 0, end: 0 };
  /** When a wheel or a finger last moved the view up. */
  #pulledUpAt = Number.NEGATIVE_INFINITY;
  /** The element that was brought into view, until the user scrolls. */
  #shown: { element: Element; block: ScrollLogicalPosition; top: number } | undefined;

  constructor(scroller: HTMLElement, content: HTMLElement, follows: Follows) {
    this.#scroller = scroller;
    this.#content = content;
    this.#follows = follows;
    const { signal } = this.#abort;
    scroller.addEventListener("scroll", () => this.#scrolled(), { signal, passive: true });
    scroller.addEventListener("wheel", ({ deltaY }) => deltaY < 0 && this.#pulledUp(), { signal, passive: true });
    scroller.addEventListener("touchmove", () => this.#pulledUp(), { signal, passive: true });
    content.addEventListener("pointerover", () => this.#scrolled(), { signal, passive: true });
    content.addEventListener("click", (event) => this.#toggledAt(event), { signal, capture: true });
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
    this.#follow(true);
    this.#held = undefined;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#last = this.#place();
  }

  /** Brings an element into view. The end is not followed meanwhile. */
  show(element: Element, block: ScrollLogicalPosition = "nearest"): void {
    this.#held = undefined;
    this.#bring(element, block);
    this.#follow(this.atEnd);
    this.#hold();
    this.#follows.onLayout();
  }

  #bring(element: Element, block: ScrollLogicalPosition): void {
    element.scrollIntoView({ block });
    this.#showChoicesWhole(element);
    this.#shown = { element, block, top: this.#scroller.scrollTop };
  }

  #isUntouched(): boolean {
    const { element, top = 0 } = this.#shown ?? {};
    return element?.matches(".request:not(:hover)") === true && element.isConnected && Math.abs(this.#scroller.scrollTop - top) < 1;
  }

  /** Moves choices that the lower edge would cut into view if the title stays visible; otherwise moves them out of view. */
  #showChoicesWhole(element: Element): void {
    const choices = element.querySelector(".choices")?.getBoundingClientRect();
    const edge = lowerEdge(this.#scroller);
    if (!choices || choices.top >= edge || choices.bottom <= edge - CLEAR) return;
    const cut = choices.bottom - (edge - CLEAR);
    const title = (element.querySelector("h2") ?? element).getBoundingClientRect();
    const fits = title.top - this.#scroller.getBoundingClientRect().top >= cut;
    this.#scroller.scrollTop += fits ? cut : choices.top - edge;
  }

  /** Content that the user unfolds at the end grows below the view, instead of moving the view to its end. */
  #toggledAt({ target }: MouseEvent): void {
    if (!this.#stuck || !(target instanceof Element) || !target.closest("summary, .fold")) return;
    this.#stuck = false;
    this.#hold();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const { atEnd } = this;
        this.#stuck = !atEnd;
        this.#follow(atEnd);
      }),
    );
  }

  /** Corrects the scroll position after the content has changed its size. */
  settle(): void {
    this.#notice();
    const shown = this.#isUntouched() ? this.#shown : undefined;
    this.#scroller.style.setProperty("--dock", `${this.#dock?.offsetHeight ?? 0}px`);
    if (shown) this.#bring(shown.element, shown.block);
    else if (this.#held?.element.isConnected) this.#keep(this.#held);
    else if (this.#stuck) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#hold();
    if (!this.#stuck || this.#scroller.scrollHeight <= this.#scroller.clientHeight) this.#nearTop();
    this.#follows.onLayout();
  }

  close(): void {
    this.#abort.abort();
    this.#observer.disconnect();
  }

  /** Undoes every movement except scrolling. */
  #keep({ element, edge, at }: HeldElement): void {
    const scrolled = this.#scroller.scrollTop - this.#last.top;
    const moved = element.getBoundingClientRect()[edge] - (at - scrolled);
    if (Math.abs(moved) >= 1) this.#scroller.scrollTop += moved;
    if (element.closest(".request")?.matches(":hover")) this.#fill(element.getBoundingClientRect()[edge] - (at - scrolled));
  }

  /** Adds a blank where scrolling cannot keep the element under the pointer in place, until the pointer leaves. */
  #fill(missing: number): void {
    if (Math.abs(missing) < 1) return;
    if (missing < 0) this.#blank(this.#above - missing, this.#below);
    else {
      this.#blank(this.#above, this.#below + missing);
      this.#scroller.scrollTop += missing;
    }
  }

  #blank(above: number, below: number): void {
    this.#above = above;
    this.#below = below;
    this.#content.style.setProperty("--above", `${above}px`);
    this.#content.style.setProperty("--below", `${below}px`);
  }

  /**
   * Detects scrolling by the user: any step up ends following, and reaching the end starts it again. Content that shrinks
   * also moves the view, but does not count, unless the user scrolls at the same time.
   */
  #notice(): void {
    const { top, end } = this.#place();
    const shorter = end < this.#last.end - 1 && performance.now() - this.#pulledUpAt > SCROLLS_FOR;
    if (top < this.#last.top - 0.5 && !shorter) this.#follow(false);
    else if (top > this.#last.top + 0.5 && this.atEnd) this.#follow(true);
  }

  #pulledUp(): void {
    this.#pulledUpAt = performance.now();
  }

  #place(): { top: number; end: number } {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return { top: scrollTop, end: scrollHeight - clientHeight };
  }

  #follow(stuck: boolean): void {
    if (this.#stuck !== stuck) this.#follows.onFollowing(stuck);
    this.#stuck = stuck;
  }

  /** Scrolling may be noticed before its event, because the browser reports pointer and size changes separately. */
  #scrolled(): void {
    this.#notice();
    if (this.#held?.element.isConnected) this.#keep(this.#held);
    this.#hold();
    this.#nearTop();
    this.#follows.onLayout();
  }

  #nearTop(): void {
    if (this.#scroller.scrollTop < this.#scroller.clientHeight * 2) this.#follows.onTop();
  }

  #hold(): void {
    const held = heldUnder(this.#scroller);
    if (!held && this.#above + this.#below > 0) this.#blank(0, 0);
    const now = this.#scroller.querySelector(".request.now");
    this.#last = this.#place();
    const element = now && isSeen(now, this.#scroller) ? now : this.#stuck ? undefined : topmost(this.#scroller);
    this.#held = held ?? (element ? holding(element, "top") : undefined);
  }
}

const holding = (element: Element, edge: HeldElement["edge"]): HeldElement => ({
  element,
  edge,
  at: element.getBoundingClientRect()[edge],
});

/**
 * The element that must not move under the pointer: its choices, otherwise the request. A row of choices may be sticky, so
 * its container is held.
 */
function heldUnder(scroller: HTMLElement): HeldElement | undefined {
  const list = scroller.querySelector(".choices-of:hover");
  if (list) return holding(list, "top");
  const after = scroller.querySelector(".choices:hover")?.closest(".after");
  if (after) return holding(after, "bottom");
  const card = scroller.querySelector(".request:hover");
  return card ? holding(card, "top") : undefined;
}

/** The first visible row. */
function topmost(scroller: HTMLElement): Element | undefined {
  const { left, top, width } = scroller.getBoundingClientRect();
  for (const down of [8, 60])
    for (const element of document.elementsFromPoint(left + width / 2, top + down)) {
      const row = element.closest(".row-of");
      if (row) return row;
    }
  return undefined;
}

/** Whether an element is visible above the dock. */
function isSeen(element: Element, scroller: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > scroller.getBoundingClientRect().top && top < lowerEdge(scroller);
}

const lowerEdge = (scroller: HTMLElement): number =>
  scroller.querySelector(":scope > .dock")?.getBoundingClientRect().top ?? scroller.getBoundingClientRect().bottom;

/** Whether keys can answer a request: all of its choices are visible. */
export function areChoicesInView(scroller: HTMLElement, requestId: string): boolean {
  const choices = scroller.querySelector(`[data-request="${CSS.escape(requestId)}"] :is(.choices, .choices-of)`);
  if (!choices) return false;
  const { top, bottom } = choices.getBoundingClientRect();
  return top >= scroller.getBoundingClientRect().top - 1 && bottom <= lowerEdge(scroller) + 1;
}
