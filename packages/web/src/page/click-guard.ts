import { noteRequestShown, type InputGuard } from "@baton/core/client/request-input-guard";

/** The position of each choice of a request, in device pixels, so that zooming counts as a move. */
type Places = ReadonlyMap<string, Box>;
type Box = { left: number; top: number; right: number; bottom: number };

/** Rounding may move an element by less than this. */
const SAME = 1.5;
/** A pointer that moves less than this counts as resting. A finger never touches exactly the same point twice. */
const RESTS = { mouse: 4, pen: 8, touch: 24 };

/**
 * Protects the choices of requests against clicks after layout changes. If its choices move, the delay of a request starts
 * again. A resting pointer can only choose what was under it when the request appeared or when the pointer last moved.
 */
export class ClickGuard {
  readonly #scroller: HTMLElement;
  readonly #guard: InputGuard;
  readonly #onMisaimed: () => void;
  readonly #abort = new AbortController();
  readonly #mutations = new MutationObserver(() => this.#soon());
  #frame: number | undefined;
  #now = new Map<string, Places>();
  /** The positions when the pointer last moved. */
  #aimed = new Map<string, Places>();
  #pointer: { x: number; y: number } | undefined;

  constructor(scroller: HTMLElement, guard: InputGuard, onMisaimed: () => void) {
    this.#scroller = scroller;
    this.#guard = guard;
    this.#onMisaimed = onMisaimed;
    const { signal } = this.#abort;
    addEventListener("pointermove", (event) => this.#pointed(event), { signal, passive: true, capture: true });
    addEventListener("pointerdown", (event) => this.#pointed(event), { signal, passive: true, capture: true });
    this.#mutations.observe(scroller, { subtree: true, childList: true, characterData: true, attributes: true });
    scroller.addEventListener("click", (event) => this.#clicked(event), { signal, capture: true });
  }

  close(): void {
    this.#abort.abort();
    this.#mutations.disconnect();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  #soon(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.measure();
    });
  }

  /** Measures all choices. Call it whenever the layout may have changed; clicks measure again. */
  measure(): void {
    const found = new Map<string, Places>();
    for (const card of this.#scroller.querySelectorAll<HTMLElement>("[data-request]")) {
      const id = card.dataset["request"] ?? "";
      const [places, before] = [placesIn(card), this.#now.get(id)];
      const moved = before !== undefined && !isSame(before, places);
      if (moved) noteRequestShown(this.#guard, id, performance.now());
      found.set(id, moved || !before ? places : before); // keeps the old position, so that small moves add up
      if (!before) this.#aimed.set(id, places);
    }
    this.#now = found;
    for (const id of this.#aimed.keys()) if (!found.has(id)) this.#aimed.delete(id);
  }

  /** Uses screen coordinates, because they change only when the pointer moves. */
  #pointed({ screenX: x, screenY: y, pointerType }: PointerEvent): void {
    const rests = pointerType === "touch" || pointerType === "pen" ? RESTS[pointerType] : RESTS.mouse;
    if (this.#pointer && Math.hypot(x - this.#pointer.x, y - this.#pointer.y) < rests) return;
    this.#pointer = { x, y };
    this.measure();
    this.#aimed = new Map(this.#now);
  }

  /** A click without a pointer, such as by the space bar, goes to the focused element. */
  #clicked(event: MouseEvent): void {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-choice]") : undefined;
    const id = button?.closest<HTMLElement>("[data-request]")?.dataset["request"];
    if (!button || id === undefined || event.detail === 0) return;
    this.measure();
    const [x, y] = [event.clientX * devicePixelRatio, event.clientY * devicePixelRatio];
    const box = this.#aimed.get(id)?.get(button.dataset["choice"] ?? "");
    if (box && x >= box.left - SAME && x <= box.right + SAME && y >= box.top - SAME && y <= box.bottom + SAME) return;
    event.stopPropagation();
    event.preventDefault();
    this.#onMisaimed();
  }
}

function placesIn(card: HTMLElement): Places {
  const places = new Map<string, Box>();
  for (const button of card.querySelectorAll<HTMLElement>("[data-choice]")) {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    const [l = 0, t = 0, r = 0, b = 0] = [left, top, right, bottom].map((each) => each * devicePixelRatio);
    places.set(button.dataset["choice"] ?? "", { left: l, top: t, right: r, bottom: b });
  }
  return places;
}

const isSame = (before: Places, now: Places): boolean =>
  before.size === now.size && [...now].every(([choice, box]) => isNear(before.get(choice), box));

const isNear = (a: Box | undefined, b: Box): boolean =>
  a !== undefined && (["left", "top", "right", "bottom"] as const).every((side) => Math.abs(a[side] - b[side]) < SAME);
