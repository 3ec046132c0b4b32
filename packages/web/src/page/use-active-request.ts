import { formatCount } from "@baton/core/text/format";
import { takesNote } from "@baton/core/protocol/request-traits";
import type { RequestAnswer } from "@baton/core/protocol/request";
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useApp } from "../store/app-context.ts";
import type { Shortcut } from "../store/shortcuts.ts";
import { acceptsInput, newInputGuard, noteRequestFocused, noteOtherKey } from "@baton/core/client/request-input-guard";
import type { SessionViewStore, SessionSnapshot } from "../store/session/session-store.ts";
import { NOT_OFFERED } from "../components/request/choices.tsx";
import { orderedChoices } from "../components/request/request-titles.ts";
import { goToNextRequest } from "./go-to-next-request.ts";
import { ClickGuard } from "./click-guard.ts";
import { areChoicesInView, ScrollAnchor } from "./scroll-anchor.ts";
import type { OpenRequests } from "./open-requests.ts";
import { useAnswerRequest, useAnsweredElsewhereNotice } from "./use-answer-request.ts";
import { isInRequest, useShortcuts } from "./use-shortcuts.ts";

type Watching = {
  open: readonly OpenRequests[];
  snapshot: SessionSnapshot;
  store: SessionViewStore;
  /** The request that the address names. */
  wantedId: string | undefined;
  box: RefObject<HTMLTextAreaElement | null>;
  onHelp: () => void;
};

/** Tracks the active request, and handles keys and clicks for it. */
export function useActiveRequest({ open, snapshot, store, wantedId, box, onHelp }: Watching) {
  const app = useApp();
  const { commands, answeredHere, tell, notice } = app;
  const { id, state } = snapshot;
  const [focused, setFocused] = useState<string | undefined>(wantedId);
  const [following, setFollowing] = useState(true);
  const now = (open.find((each) => each.request.id === focused) ?? open[0])?.request.id;
  const [guard] = useState(newInputGuard);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<ScrollAnchor | undefined>(undefined);
  const [second] = useState(() => new Set<string>());
  const answer = useAnswerRequest(second);
  useAnsweredElsewhereNotice(open, now, second);

  useEffect(() => {
    app.now.set(now);
    return () => app.now.set(undefined);
  }, [app.now, now]);

  /** Keys that are pressed while the active request changes were meant for the previous one. */
  useLayoutEffect(() => {
    if (now !== undefined) noteRequestFocused(guard, now, performance.now());
  }, [guard, now]);

  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return undefined;
    const controls = new ClickGuard(scroller.current, guard, () =>
      tell("The choices moved under the pointer, so nothing was answered. Move the pointer, then click again."),
    );
    const made = new ScrollAnchor(scroller.current, content.current, {
      onTop: () => void store.loadOlder().catch(() => undefined),
      onLayout: () => controls.measure(),
      onFollowing: setFollowing,
    });
    follower.current = made;
    return () => [made, controls].forEach((each) => each.close());
  }, [store, guard, tell]);

  const findCard = (requestId: string | undefined) =>
    requestId === undefined ? undefined : scroller.current?.querySelector<HTMLElement>(`[data-request="${CSS.escape(requestId)}"]`);

  const show = (requestId: string, { block = "nearest", focus = true }: { block?: ScrollLogicalPosition; focus?: boolean } = {}) => {
    const card = findCard(requestId);
    if (!card) return;
    setFocused(requestId);
    if (focus) card.focus({ preventScroll: true });
    follower.current?.show(card, block);
  };

  /** Whether a request was answered elsewhere and the user may not have noticed. */
  const hasUnnoticedAnswer = useRef(false);
  const before = useRef(open);
  useEffect(() => {
    const still = new Set(open.map(({ request }) => request.id));
    if (before.current.some(({ request }) => !still.has(request.id) && !answeredHere.has(request.id))) hasUnnoticedAnswer.current = true;
    before.current = open;
  }, [open, answeredHere]);

  /** Scrolls to the first request when a session opens; otherwise focuses the prompt. */
  useEffect(() => {
    const first = open.find(({ request }) => request.id === wantedId) ?? open[0];
    if (first) show(first.request.id, { block: "start", focus: false });
    else if (!matchMedia("(pointer: coarse)").matches) box.current?.focus();
    // only when the named request changes
  }, [wantedId]);

  /** Whether the last answer was given by a key. */
  const isByKey = useRef(false);

  /**
   * After a focused card has disappeared, the focus moves to the active request. Without one, the prompt has it until the
   * next request comes. After an answer by key, while requests of other sessions wait, it stays where a key leads to them.
   */
  const lost = useRef<string | undefined>(undefined);
  const hasBorrowedFocus = useRef(false);
  const waitingElsewhere = () => app.lists.inbox.get()?.filter((item) => item.sessionId !== id && !answeredHere.has(item.id)).length ?? 0;
  const isFree = () => [null, document.body, scroller.current].includes(document.activeElement as HTMLElement | null);
  useLayoutEffect(() => {
    const isBack = hasBorrowedFocus.current && findCard(now) && document.activeElement === box.current && box.current?.value === "";
    const isLost = lost.current !== undefined && !findCard(lost.current) && isFree();
    if (!isBack && !isLost) return;
    lost.current = undefined;
    const elsewhere = now === undefined && isByKey.current ? waitingElsewhere() : 0;
    hasBorrowedFocus.current = now === undefined && elsewhere === 0 && !matchMedia("(pointer: coarse)").matches;
    if (elsewhere > 0)
      tell(
        `${formatCount(elsewhere, "request")} in other sessions ${elsewhere === 1 ? "needs" : "need"} you. Shift+J leads to the next one.`,
      );
    if (hasBorrowedFocus.current) box.current?.focus({ preventScroll: true });
    else if (now !== undefined && findCard(now) && !scroller.current?.querySelector(".request:hover")) show(now);
    else (findCard(now) ?? scroller.current)?.focus({ preventScroll: true });
  });

  /** Unloads earlier entries while the end is followed. */
  useEffect(() => {
    if (follower.current?.atEnd) store.forgetOlder();
  }, [store, snapshot.version]);

  const give = (each: OpenRequests, answerToSend: RequestAnswer, how?: "key") => {
    isByKey.current = how === "key";
    lost.current = isFree() || isInRequest(document.activeElement) ? each.request.id : undefined;
    notice.set(undefined);
    answer(each, answerToSend);
  };

  const step = (by: number) => {
    const at = open.findIndex(({ request }) => request.id === now);
    const inFocus = isInRequest(document.activeElement);
    const next = open[(inFocus ? at + by + open.length : Math.max(at, 0)) % Math.max(1, open.length)];
    if (next) show(next.request.id);
    else goToNextRequest(app);
  };

  const answerNth = (nth: number, event: KeyboardEvent) => {
    const current = open.find(({ request }) => request.id === now);
    const { choice, offered } = (current && orderedChoices(current.request)[nth]) ?? {};
    if (!current || !choice || !scroller.current) return;
    event.preventDefault();
    if (!offered) return tell(NOT_OFFERED);
    if (!areChoicesInView(scroller.current, current.request.id)) {
      showChoices(findCard(current.request.id), follower.current);
      return tell("The choices were not in view, so nothing was answered. Look at them, then press the digit again.");
    }
    if (event.repeat || !acceptsInput(guard, current.request.id, "key", performance.now())) return tell("Too early: press it again.");
    give(current, { choice: choice.id }, "key");
  };

  const writeOn = (what: "edit" | "note" | "full", event: KeyboardEvent) => {
    if (now === undefined || !scroller.current || !areChoicesInView(scroller.current, now))
      return what === "note" ? app.route.go({ page: "new", cwd: state.workspace }) : undefined;
    event.preventDefault();
    if (what === "note" && !open.some(({ request }) => request.id === now && takesNote(request))) return;
    const drafts = app.answerDrafts.get();
    const draft = drafts[now] ?? {};
    app.answerDrafts.set({ ...drafts, [now]: { ...draft, ...DRAFTING[what], ...(what === "full" ? { full: !draft.full } : {}) } });
  };

  const handleShortcut = (what: Shortcut, event: KeyboardEvent) => {
    switch (what.do) {
      case "answer":
        return answerNth(what.nth, event);
      case "next":
        return step(1);
      case "previous":
        return step(-1);
      case "edit":
      case "note":
      case "full":
        return writeOn(what.do, event);
      case "prompt":
        event.preventDefault();
        return box.current?.focus({ preventScroll: true });
      case "help":
        return onHelp();
      case "inbox":
      case "search":
      case "board":
      case "pending":
      case "nextAnywhere":
        return undefined; // handled by the page
    }
  };
  useShortcuts(handleShortcut, () => {
    hasBorrowedFocus.current = false;
    hasUnnoticedAnswer.current = false;
    noteOtherKey(guard, performance.now());
  });

  return {
    open,
    following,
    now,
    guard,
    give,
    step,
    scroller,
    content,
    onFocus: setFocused,
    show: (element: Element, block: ScrollLogicalPosition) => follower.current?.show(element, block),
    toEnd: () => follower.current?.toEnd(),
    /** Escape in the prompt: goes to the active request, or stops the turn, or leaves the prompt. */
    leavePrompt: () => {
      if (now !== undefined) show(now);
      else if (state.turn && hasUnnoticedAnswer.current) {
        hasUnnoticedAnswer.current = false;
        tell("The request was answered elsewhere, so nothing was stopped. Press Escape again to stop the turn.");
      } else if (state.turn) void commands.send(id, { type: "interrupt" }).catch(tell);
      else scroller.current?.focus();
    },
  };
}

const DRAFTING = { edit: { typing: "rule" }, note: { typing: "note" }, full: {} } as const;

/** Scrolls to the choices, which are at the end of a tall card. */
function showChoices(card: HTMLElement | null | undefined, follower: ScrollAnchor | undefined): void {
  const choices = card?.querySelector(".choices, .choices-of");
  if (!card || !choices) return;
  card.focus({ preventScroll: true });
  follower?.show(choices, "center"); // leaves room for what may appear below
}
