import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { SessionState } from "@baton/core/session/state";
import type { Delivery } from "@baton/core/protocol/event";
import { useApp, useWatched } from "../store/app.ts";
import { deedOf, type Deed } from "../store/keys.ts";
import { becomesNow, quiet as newQuiet, takesAnswer, typedElsewhere } from "../store/quiet.ts";
import { SessionContext } from "../store/session-context.ts";
import { SessionStore, type Sight } from "../store/session-store.ts";
import { Banner, Notice, Stalled } from "../view/banner.tsx";
import { clean, oneLine } from "@baton/core/text/clean";
import { Diamond, Key } from "../view/icon.tsx";
import { MayList, useMay } from "../view/may.tsx";
import { ModeName, useModeLook } from "../view/mode-name.tsx";
import { ContextFact } from "../view/meter.tsx";
import { PromptBox, type Said } from "../view/prompt-box.tsx";
import type { Command } from "../view/suggestions.tsx";
import { Queue } from "../view/queue.tsx";
import { changedFiles, Rail, type Changed } from "../view/rail.tsx";
import { shortOf, titleOf } from "../view/request.tsx";
import { Transcript } from "../view/transcript.tsx";
import { count, money } from "@baton/core/text/words";
import { choicesInView, Follower } from "./follower.ts";
import { Header } from "./header.tsx";
import { Help } from "./help.tsx";
import { Missing } from "./missing.tsx";
import { openHere } from "./open-requests.ts";
import { Requests, useGive, useShown, useToldOfOthers } from "./requests.tsx";

/** A session: its conversation, what waits in it, and the box to say more. */
export function SessionPage({ id, request }: { id: string; request: string | undefined }) {
  const { link } = useApp();
  const [store, setStore] = useState<SessionStore>();
  useEffect(() => {
    const opened = new SessionStore(link.api, id);
    setStore(opened);
    return () => opened.close();
  }, [link, id]);
  if (!store || store.id !== id) return <main className="main" aria-busy="true" />;
  return (
    <SessionContext value={store}>
      <Opened key={id} store={store} wanted={request} />
    </SessionContext>
  );
}

function Opened({ store, wanted }: { store: SessionStore; wanted: string | undefined }) {
  const sight = useSyncExternalStore(store.watch, store.get);
  if (sight.phase === "missing") return <Missing problem={sight.problem} />;
  if (sight.phase === "opening")
    return (
      <main className="main" aria-busy="true">
        <Banner seq={undefined} />
      </main>
    );
  return <Session sight={sight} store={store} wanted={wanted} />;
}

function Session({ sight, store, wanted }: { sight: Sight; store: SessionStore; wanted: string | undefined }) {
  const { id, state, stalled } = sight;
  const app = useApp();
  const { lists, wishes, tell, notice } = app;
  const inbox = useWatched(lists.inbox);
  const sessions = useWatched(lists.sessions);
  const open = useMemo(() => openHere(id, state, inbox), [id, state, inbox]);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState<string | undefined>(wanted);
  const [help, setHelp] = useState(false);
  const shown = useShown(open, hovered);
  const now = (open.find((each) => each.request.id === focused) ?? open[0])?.request.id;
  const [quiet] = useState(newQuiet);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const follower = useRef<Follower | undefined>(undefined);
  const give = useGive();
  useToldOfOthers(open, now);
  const hidden = useHidden(shown.map((each) => ("call" in each.request.subject && each.sessionId === id ? each.request.subject.call : "")));
  const may = useMay(state.mode, state.workspace, state.grants);
  const changed = useChanged(sight);
  const children = (sessions ?? []).filter((row) => row.id.startsWith(`${id}.`));
  const below = { count: children.length, cost: children.reduce((sum, { cost }) => sum + cost, 0) };

  useEffect(() => {
    app.now.set(now);
    return () => app.now.set(undefined);
  }, [app.now, now]);

  /** The request that is now has changed: whatever is being pressed was meant for the one before. */
  useLayoutEffect(() => {
    if (now !== undefined) becomesNow(quiet, now, performance.now());
  }, [quiet, now]);

  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return undefined;
    const made = new Follower(scroller.current, content.current, () => void store.loadOlder().catch(() => undefined));
    follower.current = made;
    return () => made.close();
  }, [store]);

  const show = (
    requestId: string | undefined,
    { block = "nearest", focus = true }: { block?: ScrollLogicalPosition; focus?: boolean } = {},
  ) => {
    const card =
      requestId === undefined ? undefined : scroller.current?.querySelector<HTMLElement>(`[data-request="${CSS.escape(requestId)}"]`);
    if (!card) return;
    setFocused(requestId);
    if (focus) card.focus({ preventScroll: true });
    follower.current?.show(card, block);
  };

  /** A session opens at what waits in it, else at its end, ready to be told more. */
  useEffect(() => {
    const first = open.find(({ request }) => request.id === wanted) ?? open[0];
    if (first) show(first.request.id, { block: "start", focus: false });
    else if (!matchMedia("(pointer: coarse)").matches) box.current?.focus();
    // only once for each request that is called for
  }, [wanted]);

  /** A card that had the focus is gone: the keys go to the one that is now. */
  const lost = useRef(false);
  useLayoutEffect(() => {
    if (!lost.current || (document.activeElement !== null && document.activeElement !== document.body)) return;
    lost.current = false;
    const card = now === undefined ? undefined : scroller.current?.querySelector<HTMLElement>(`[data-request="${CSS.escape(now)}"]`);
    if (!hovered && card) show(now);
    else (card ?? scroller.current)?.focus({ preventScroll: true });
  });

  /** Of what lies far above, nothing is kept while the end is followed. */
  useEffect(() => {
    if (follower.current?.atEnd) store.forgetOlder();
  }, [store, sight.version]);

  const step = (by: number) => {
    const at = open.findIndex(({ request }) => request.id === now);
    const inFocus = document.activeElement?.closest(".request") !== null;
    const next = open[(inFocus ? at + by + open.length : Math.max(at, 0)) % Math.max(1, open.length)];
    if (next) show(next.request.id);
    else tell("Nothing needs you here.");
  };

  const deed = (what: Deed, event: KeyboardEvent) => {
    const view = scroller.current;
    const current = open.find(({ request }) => request.id === now);
    const inView = current && view && choicesInView(view, current.request.id);
    switch (what.do) {
      case "answer": {
        const choice = current?.request.choices[what.nth];
        if (!current || !choice || !view) return;
        event.preventDefault();
        if (!inView) {
          show(current.request.id);
          return tell("It was not in view, so nothing was answered. Look at it, then press the digit again.");
        }
        if (event.repeat || !takesAnswer(quiet, current.request.id, "key", performance.now())) return tell("Too early: press it again.");
        lost.current = isInRequest(document.activeElement);
        notice.set(undefined);
        return give(current, { choice: choice.id });
      }
      case "next":
        return step(1);
      case "previous":
        return step(-1);
      case "edit":
      case "note":
      case "full": {
        if (!current || !inView) return what.do === "note" ? app.route.go({ page: "new", cwd: state.workspace }) : undefined;
        event.preventDefault();
        const drafts = app.answerDrafts.get();
        const draft = drafts[current.request.id] ?? {};
        const changedDraft =
          what.do === "full"
            ? { ...draft, full: !draft.full }
            : { ...draft, typing: what.do === "edit" ? ("rule" as const) : ("note" as const) };
        return app.answerDrafts.set({ ...drafts, [current.request.id]: changedDraft });
      }
      case "prompt":
        event.preventDefault();
        return box.current?.focus();
      case "help":
        return setHelp(true);
      case "inbox":
      case "search":
      case "pending":
        return undefined; // the whole page's own
    }
  };
  useKeys(deed, () => typedElsewhere(quiet, performance.now()));

  const send = (said: Said, delivery: Delivery) => {
    follower.current?.toEnd();
    return wishes.prompt(id, said, delivery);
  };
  const wish = (what: Parameters<typeof wishes.wish>[1]) => void wishes.wish(id, what).catch(tell);
  const busy = state.turn !== undefined;
  const model = state.model ?? state.promptModel ?? state.step?.model ?? undefined;
  const commands = useCommands(
    state,
    wish,
    () => setHelp(true),
    () => step(1),
  );

  return (
    <>
      <main className="main">
        <Header id={id} state={state} changed={changed} onHelp={() => setHelp(true)} />
        <Strip mode={state.mode} may={may} />
        <Banner seq={sight.seq} />
        {stalled === null ? undefined : <Stalled message={stalled} />}
        <div className="scroll" ref={scroller} tabIndex={0} role="region" aria-label="Transcript">
          <div className="turns" ref={content}>
            {sight.hasOlder ? <p className="older dim">The earlier part comes when you scroll up.</p> : undefined}
            {isEmpty(sight) ? <NothingYet mode={state.mode} may={may} /> : undefined}
            <Transcript sight={sight} hidden={hidden} scroller={scroller} />
            <Requests
              shown={shown}
              now={now}
              quiet={quiet}
              give={(each, answer) => {
                lost.current = isInRequest(document.activeElement);
                notice.set(undefined);
                give(each, answer);
              }}
              onHover={setHovered}
              onFocus={setFocused}
              onHint={tell}
            />
          </div>
          <div className="dock">
            {open.length === 0 ? undefined : (
              <div className="needs">
                <Diamond />
                <b>
                  {open.length} {open.length === 1 ? "needs" : "need"} you here
                </b>
                <span className="cut soft wide-only">next: {oneLine(shortOf(open[0]?.request ?? NO_REQUEST))}</span>
                <span className="r" />
                <button type="button" className="btn quiet small" onClick={() => step(1)}>
                  Next <Key>J</Key>
                </button>
              </div>
            )}
            <Notice />
            <Queue />
            <MayLine mode={state.mode} may={may} />
            <PromptBox
              place={id}
              cwd={state.workspace}
              mode={state.mode}
              model={model}
              busy={busy}
              box={box}
              commands={commands}
              placeholder={busy ? "Queue a prompt, or steer. @ file, / command" : "Say what you want done. @ file, / command"}
              onSend={send}
              onMode={(mode) => wish({ type: "switchMode", mode })}
              onModel={(chosen) => wish({ type: "chooseModel", model: chosen })}
              onStop={() => wish({ type: "interrupt" })}
              onEscape={() => {
                if (now !== undefined) show(now);
                else if (busy) wish({ type: "interrupt" });
                else scroller.current?.focus();
              }}
              facts={
                <>
                  <ContextFact model={model} used={state.contextTokens} />
                  <span className="fact only-norail wide-only">{money(state.usage.cost + below.cost)}</span>
                </>
              }
            />
          </div>
        </div>
      </main>
      <Rail state={state} model={model} may={may} changed={changed} below={below} />
      <Announcer sight={sight} open={open.map(({ request }) => titleOf(request))} />
      {help ? <Help onClose={() => setHelp(false)} /> : undefined}
    </>
  );
}

const NO_REQUEST = { kind: "question", text: "", header: "", subject: { turn: 0 } } as const;

const isEmpty = ({ parts, state }: Sight): boolean =>
  parts.every(({ entries }) => entries.length === 0) && state.queue.length === 0 && !state.turn;

/** The same set while it holds the same calls. */
function useHidden(calls: readonly string[]): ReadonlySet<string> {
  const key = calls.filter(Boolean).join(" ");
  return useMemo(() => new Set(key.split(" ")), [key]);
}

function useChanged({ parts, version }: Sight): Changed[] {
  return useMemo(() => {
    const known = new Map<string, Changed>();
    for (const { entries } of parts) changedFiles(entries, known);
    return [...known.values()];
    // the newest part changes in place: `version` says so
  }, [parts.length, version]);
}

/** Keys pressed where nothing is typed. A key that is typed into something is told of, as it may be meant for that alone. */
function useKeys(deed: (deed: Deed, event: KeyboardEvent) => void, onTyping: () => void): void {
  const latest = useRef({ deed, onTyping });
  latest.current = { deed, onTyping };
  useEffect(() => {
    let before: { key: string; at: number } | undefined;
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (isTyping(event.target)) {
        if (!NO_TEXT.has(event.key) && !isInRequest(event.target)) latest.current.onTyping();
        return;
      }
      const after = before && event.timeStamp - before.at < 1_000 ? before.key : undefined;
      before = { key: event.key, at: event.timeStamp };
      const what = deedOf(event, after);
      if (what) latest.current.deed(what, event);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

const NO_TEXT = new Set(["Escape", "Tab", "Shift", "Control", "Alt", "Meta"]);

const isInRequest = (target: EventTarget | null): boolean => target instanceof Element && target.closest(".request") !== null;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable], .menu") !== null;

function useCommands(
  state: SessionState,
  wish: (
    what:
      | { type: "resume" }
      | { type: "rename"; title: string }
      | { type: "switchMode"; mode: string }
      | { type: "chooseModel"; model: string }
      | { type: "archive"; archived: boolean },
  ) => void,
  help: () => void,
  inbox: () => void,
): Command[] {
  const { route, tell, lists } = useApp();
  const known = useWatched(lists.modes).map(({ slug }) => slug);
  return [
    {
      name: "mode",
      about: "switch the mode: /mode plan",
      run: (mode) =>
        known.includes(mode)
          ? wish({ type: "switchMode", mode })
          : tell(`${mode === "" ? "Which mode?" : `There is no mode “${mode}”.`} The modes are: ${known.join(", ")}.`),
    },
    {
      name: "model",
      about: "choose the model: /model provider/model",
      run: (model) => (model === "" ? tell("Choose a model as provider/model.") : wish({ type: "chooseModel", model })),
    },
    { name: "new", about: "begin another session here", run: () => route.go({ page: "new", cwd: state.workspace }) },
    {
      name: "rename",
      about: "give this session a title: /rename Title",
      run: (title) => (title === "" ? tell("/rename needs a title.") : wish({ type: "rename", title: title.slice(0, 200) })),
    },
    { name: "archive", about: "put this session away", run: () => wish({ type: "archive", archived: true }) },
    { name: "inbox", about: "what waits for you here", run: inbox },
    { name: "resume", about: "go on with prompts that were held back", run: () => wish({ type: "resume" }) },
    { name: "help", about: "keys", run: help },
  ];
}

type MayProps = { mode: string; may: ReturnType<typeof useMay> };

/** Below the title where there is no rail. */
function Strip({ mode, may }: MayProps) {
  const { hue } = useModeLook(mode);
  return (
    <div className={`strip only-norail wide-only ${hue}`}>
      <span className={`mode ${hue}`}>
        <ModeName slug={mode} /> may
      </span>
      <MayList mode={mode} may={may} line />
    </div>
  );
}

/** Above the prompt where there is no room for a strip. */
const MayLine = ({ mode, may }: MayProps) => (
  <div className="mayline narrow-only">
    <MayList mode={mode} may={may} line />
  </div>
);

function NothingYet({ mode, may }: MayProps) {
  const { mode: known } = useModeLook(mode);
  return (
    <div className="nothing-yet">
      <h2>What should be done?</h2>
      <p>
        <ModeName slug={mode} small={false} /> {oneLine(known?.description ?? "")}
      </p>
      <MayList mode={mode} may={may} />
      <p className="dim hints">
        <Key>@</Key> file <Key>/</Key> command <Key>⇧⇥</Key> next mode
      </p>
    </div>
  );
}

/** Says what matters to who does not see it: a request once, a reply when it ends. */
function Announcer({ sight: { parts, version, seq }, open }: { sight: Sight; open: readonly string[] }) {
  const [since] = useState(seq);
  const said = useMemo(() => {
    const reply = parts
      .at(-1)
      ?.entries.findLast((entry) => entry.kind === "reply" && entry.phase === "done" && entry.seq > since && entry.text.trim() !== "");
    return reply?.kind === "reply" ? clean(reply.text.slice(0, 500)) : "";
    // the newest part changes in place: `version` says so
  }, [parts.length, version, since]);
  return (
    <>
      <p className="vh" aria-live="polite">
        {said}
      </p>
      <p className="vh" aria-live="polite">
        {open.length === 0 ? "" : `Needs you: ${open.at(-1)}${open.length > 1 ? `. ${count(open.length, "request")} here.` : ""}`}
      </p>
    </>
  );
}
