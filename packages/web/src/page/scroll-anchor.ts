const NEAR_END = 32;

/** So far above the dock the choices with their margin end clear of its fade; the same in the style sheet, where they stick. */
const CLEAR = 6;

/** An element of which one edge keeps its place on the screen. */
type Held = { element: Element; edge: "top" | "bottom"; at: number };

type Follows = {
  /** The first part is near: what is before it may be wanted. */
  onTop: () => void;
  /** Something may have moved, and all that Baton corrects is corrected. */
  onPlaced: () => void;
  onFollowing: (following: boolean) => void;
};

/**
 * Keeps still what a person looks at. A request under the pointer, else the one that is now, keeps its place on the
 * screen; else the end stays in view, unless somebody scrolled up: then the topmost row that is seen keeps its place.
 */
export class ScrollAnchor {
  readonly #scroller: HTMLElement;
  readonly #observer: ResizeObserver;
  readonly #abort = new AbortController();
  readonly #content: HTMLElement;
  readonly #follows: Follows;
  /** What lies over the lower edge; what stays in view above it is told its height. */
  readonly #dock: HTMLElement | null;
  #stuck = true;
  /** Heights of the blanks that stand in for what has gone. */
  #above = 0;
  #below = 0;
  #held: Held | undefined;
  #last = { top: 0, end: 0 };
  /** What was brought into view, until a person scrolls: its surroundings may still come to their size. */
  #shown: { element: Element; block: ScrollLogicalPosition; top: number } | undefined;

  constructor(scroller: HTMLElement, content: HTMLElement, follows: Follows) {
    this.#scroller = scroller;
    this.#content = content;
    this.#follows = follows;
    const { signal } = this.#abort;
    scroller.addEventListener("scroll", () => this.#scrolled(), { signal, passive: true });
    content.addEventListener("pointerover", () => this.#scrolled(), { signal, passive: true });
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

  /** Brings an element into view; the end is not followed meanwhile. */
  show(element: Element, block: ScrollLogicalPosition = "nearest"): void {
    this.#held = undefined;
    this.#bring(element, block);
    this.#follow(this.atEnd);
    this.#hold();
    this.#follows.onPlaced();
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

  /** Choices that the lower edge would cut are shown whole where the title stays in view, else not at all. */
  #showChoicesWhole(element: Element): void {
    const choices = element.querySelector(".choices")?.getBoundingClientRect();
    const edge = lowerEdge(this.#scroller);
    if (!choices || choices.top >= edge || choices.bottom <= edge - CLEAR) return;
    const cut = choices.bottom - (edge - CLEAR);
    const title = (element.querySelector("h2") ?? element).getBoundingClientRect();
    const fits = title.top - this.#scroller.getBoundingClientRect().top >= cut;
    this.#scroller.scrollTop += fits ? cut : choices.top - edge;
  }

  /** After the content has changed its size. */
  settle(): void {
    this.#notice();
    const shown = this.#isUntouched() ? this.#shown : undefined;
    this.#scroller.style.setProperty("--dock", `${this.#dock?.offsetHeight ?? 0}px`);
    if (shown) this.#bring(shown.element, shown.block);
    else if (this.#held?.element.isConnected) this.#keep(this.#held);
    else if (this.#stuck) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#hold();
    if (!this.#stuck || this.#scroller.scrollHeight <= this.#scroller.clientHeight) this.#nearTop();
    this.#follows.onPlaced();
  }

  close(): void {
    this.#abort.abort();
    this.#observer.disconnect();
  }

  /** What moved it, other than scrolling, is taken back. */
  #keep({ element, edge, at }: Held): void {
    const scrolled = this.#scroller.scrollTop - this.#last.top;
    const moved = element.getBoundingClientRect()[edge] - (at - scrolled);
    if (Math.abs(moved) >= 1) this.#scroller.scrollTop += moved;
    if (element.closest(".request")?.matches(":hover")) this.#fill(element.getBoundingClientRect()[edge] - (at - scrolled));
  }

  /** Where scrolling cannot keep what is under the pointer in its place, a blank does, until the pointer has left. */
  #fill(missing: number): void {
    if (Math.abs(missing) < 1) return;
    if (missing < 0) this.#blank(this.#above - missing, this.#below);
    else {
      this.#blank(this.#above, this.#below + missing);
      this.#scroller.scrollTop += missing;
    }
  }

  #blank(above: number, below: number): void {
    [this.#above, this.#below] = [above, below];
    this.#content.style.setProperty("--above", `${above}px`);
    this.#content.style.setProperty("--below", `${below}px`);
  }

  /**
   * Whether a person has scrolled since: the smallest step up ends the following, and only coming down to the end begins
   * it again. Content that became shorter moves the view as well, and says nothing.
   */
  #notice(): void {
    const { top, end } = this.#place();
    const shorter = end < this.#last.end - 1;
    if (top < this.#last.top - 0.5 && !shorter) this.#follow(false);
    else if (top > this.#last.top + 0.5 && this.atEnd) this.#follow(true);
  }

  #place(): { top: number; end: number } {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return { top: scrollTop, end: scrollHeight - clientHeight };
  }

  #follow(stuck: boolean): void {
    if (this.#stuck !== stuck) this.#follows.onFollowing(stuck);
    this.#stuck = stuck;
  }

  /** Scrolling may be seen before its event: the browser tells of the pointer, and of sizes, at other moments. */
  #scrolled(): void {
    this.#notice();
    if (this.#held?.element.isConnected) this.#keep(this.#held);
    this.#hold();
    this.#nearTop();
    this.#follows.onPlaced();
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

const holding = (element: Element, edge: Held["edge"]): Held => ({ element, edge, at: element.getBoundingClientRect()[edge] });

/**
 * What must not move under the pointer: the choices that it is on, else the request. Choices in a row are the end of
 * `.after`; they may be sticky themselves, so it is that which is held.
 */
function heldUnder(scroller: HTMLElement): Held | undefined {
  const list = scroller.querySelector(".choices-of:hover");
  if (list) return holding(list, "top");
  const after = scroller.querySelector(".choices:hover")?.closest(".after");
  if (after) return holding(after, "bottom");
  const card = scroller.querySelector(".request:hover");
  return card ? holding(card, "top") : undefined;
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
