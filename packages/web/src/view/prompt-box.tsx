import type { Delivery } from "@baton/core/protocol/event";
import { useEffect, useId, useState, useSyncExternalStore, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { useApp, useConnected, useWatched } from "../store/app.ts";
import { oneLine } from "@baton/core/text/clean";
import { Icon, Key } from "./icon.tsx";
import { Menu, MenuItem } from "./menu.tsx";
import { useModeLook } from "./mode-name.tsx";
import { completed, wantedAt, type Wanted } from "./suggest.ts";
import { modelName } from "./words.ts";

export type Command = { name: string; about: string; run: (argument: string) => void };

type Props = {
  /** Where the draft is kept: the id of the session, or `new`. */
  place: string;
  /** The folder in which `@` finds files. */
  cwd: string | undefined;
  mode: string;
  model: string | undefined;
  busy: boolean;
  commands: readonly Command[];
  placeholder: string;
  facts?: ReactNode;
  onSend: (text: string, delivery: Delivery) => Promise<void>;
  onMode: (mode: string) => void;
  onModel: (model: string) => void;
  onStop?: () => void;
  onEscape?: () => void;
  box: RefObject<HTMLTextAreaElement | null>;
};

/** Where one says what is to be done: mode and model always in sight; while it works a prompt is queued or steers. */
export function PromptBox(props: Props) {
  const { place, mode, model, busy, commands, placeholder, facts, onSend, onMode, onModel, onStop, onEscape, box } = props;
  const { drafts, lists, tell } = useApp();
  const draft = drafts.of(place);
  const text = useSyncExternalStore(draft.watch, draft.get);
  const connected = useConnected();
  const modes = useWatched(lists.modes);
  const { hue, icon } = useModeLook(mode);
  const [sending, setSending] = useState(false);
  const suggestions = useSuggestions(props, text);
  const id = useId();

  const send = (delivery: Delivery) => {
    const said = draft.get().trim();
    if (said === "" || sending) return;
    const [, name, argument = ""] = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(said) ?? [];
    const command = name === undefined ? undefined : commands.find((known) => known.name === name);
    if (command) {
      draft.set("");
      command.run(argument.trim());
      return;
    }
    if (!connected) return tell("Not connected: the prompt stays here until it can be sent.");
    setSending(true);
    draft.set("");
    onSend(said, delivery)
      .catch((error: unknown) => {
        if (draft.get() === "") draft.set(said);
        tell(error);
      })
      .finally(() => setSending(false));
  };

  const key = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || suggestions.key(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey) {
      event.preventDefault();
      send(event.altKey ? "steer" : "queue");
    } else if (event.key === "Tab" && event.shiftKey) {
      event.preventDefault();
      const at = modes.findIndex(({ slug }) => slug === mode);
      const next = modes[(at + 1) % modes.length];
      if (next) onMode(next.slug);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      onEscape?.();
    }
  };

  return (
    <form
      className={`box ${hue}`}
      onSubmit={(event) => {
        event.preventDefault();
        send("queue");
      }}
    >
      <label className="vh" htmlFor={id}>
        Prompt
      </label>
      {suggestions.list}
      <textarea
        id={id}
        ref={box}
        rows={1}
        placeholder={placeholder}
        value={text}
        aria-autocomplete="list"
        aria-controls={suggestions.list ? suggestions.id : undefined}
        aria-activedescendant={suggestions.list ? suggestions.active : undefined}
        onChange={(event) => {
          draft.set(event.target.value);
          suggestions.look();
        }}
        onSelect={suggestions.look}
        onBlur={suggestions.close}
        onKeyDown={key}
      />
      <div className="tools">
        <Menu
          label={`Mode: ${mode}`}
          title="Mode (Shift+Tab)"
          up
          className={`btn quiet mode ${hue}`}
          disabled={!connected}
          button={
            <>
              <Icon name={icon} small />
              {mode}
              <Icon name="chevron-down" small className="dim" />
            </>
          }
        >
          {(close) =>
            modes.map(({ slug, description }) => (
              <MenuItem
                key={slug}
                chosen={slug === mode}
                onPick={() => {
                  close();
                  if (slug !== mode) onMode(slug);
                }}
              >
                <ModeLine slug={slug} description={description} />
              </MenuItem>
            ))
          }
        </Menu>
        <ModelMenu model={model} onModel={onModel} disabled={!connected} />
        {facts}
        <span className="grow" />
        {busy ? (
          <button
            type="button"
            className="btn quiet wide-only"
            disabled={!connected || text.trim() === ""}
            title="Comes in after the calls that are open now (Alt+Enter)"
            onClick={() => send("steer")}
          >
            Steer <Key>⌥↵</Key>
          </button>
        ) : undefined}
        <button className="btn" type="submit" disabled={!connected || sending || text.trim() === ""}>
          {busy ? "Queue" : "Send"} <Key>↵</Key>
        </button>
        {busy && onStop ? (
          <button
            type="button"
            className="btn icon"
            aria-label="Stop the turn"
            title="Stop the turn"
            disabled={!connected}
            onClick={onStop}
          >
            <i aria-hidden="true" className="i s i-stop" />
          </button>
        ) : undefined}
      </div>
    </form>
  );
}

function ModeLine({ slug, description }: { slug: string; description: string }) {
  const { icon, hue } = useModeLook(slug);
  return (
    <>
      <Icon name={icon} className={hue} />
      <span className="strong">{slug}</span>
      <span className="sub">{oneLine(description)}</span>
    </>
  );
}

/** Models that sessions had, and any other by its name. */
function ModelMenu({ model, onModel, disabled }: { model: string | undefined; onModel: (model: string) => void; disabled: boolean }) {
  const { lists } = useApp();
  const [named, setNamed] = useState("");
  const sessions = useWatched(lists.sessions) ?? [];
  const known = [...new Set([...(model === undefined ? [] : [model]), ...sessions.flatMap((row) => row.model ?? [])])].slice(0, 8);
  return (
    <Menu
      label={`Model: ${modelName(model)}`}
      title={model ?? "No model is chosen"}
      up
      disabled={disabled}
      button={
        <>
          <span className="cut">{modelName(model)}</span>
          <Icon name="chevron-down" small className="dim" />
        </>
      }
    >
      {(close) => (
        <>
          {known.map((each) => (
            <MenuItem
              key={each}
              chosen={each === model}
              onPick={() => {
                close();
                if (each !== model) onModel(each);
              }}
            >
              <Icon name={each === model ? "check" : "blank"} />
              <span className="cut">{modelName(each)}</span>
              <span className="sub">
                <span className="cut">{each}</span>
              </span>
            </MenuItem>
          ))}
          <div className="menufield" role="none">
            <input
              className="field"
              aria-label="Another model"
              placeholder="provider/model"
              value={named}
              onChange={(event) => setNamed(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || named.trim() === "") return;
                event.preventDefault();
                close();
                onModel(named.trim());
              }}
            />
          </div>
        </>
      )}
    </Menu>
  );
}

type Found = { wanted: Wanted; items: readonly { text: string; about: string }[]; chosen: number };

/** What is offered below the cursor for `@` and `/`. */
function useSuggestions({ place, cwd, commands, box }: Props, text: string) {
  const { drafts, link } = useApp();
  const [found, setFound] = useState<Found>();
  const [cursor, setCursor] = useState(0);
  const [dropped, setDropped] = useState<string>();
  const id = useId();
  const wanted = wantedAt(text, Math.min(cursor, text.length));
  const typed = wanted?.typed;
  useEffect(() => {
    if (!wanted || dropped === text) return setFound(undefined);
    if (wanted.kind === "command") {
      const items = commands.filter(({ name }) => name.startsWith(wanted.typed)).map(({ name, about }) => ({ text: `/${name}`, about }));
      return setFound(items.length === 0 ? undefined : { wanted, items, chosen: 0 });
    }
    if (cwd === undefined) return setFound(undefined);
    const abort = new AbortController();
    link.api.workspace.files
      .query({ cwd, query: wanted.typed.slice(0, 200) }, { signal: abort.signal })
      .then((files) => {
        const items = files.slice(0, 8).map((file) => ({ text: `@${file}`, about: "" }));
        if (!abort.signal.aborted) setFound(items.length === 0 ? undefined : { wanted, items, chosen: 0 });
      })
      .catch(() => undefined); // a draft without completion is still a draft
    return () => abort.abort();
    // `wanted` is made anew at each look; what it says is in these
  }, [wanted?.kind, wanted?.start, typed, dropped, cwd]);

  const take = (item: string) => {
    if (!found) return;
    const next = completed(text, Math.min(cursor, text.length), found.wanted, item);
    drafts.of(place).set(next.text);
    setFound(undefined);
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(next.cursor, next.cursor);
    });
  };
  const move = (by: number) => setFound((now) => now && { ...now, chosen: (now.chosen + by + now.items.length) % now.items.length });
  const key = (event: KeyboardEvent): boolean => {
    const { value = "", selectionStart = 0 } = box.current ?? {};
    if (!found || wantedAt(value, selectionStart)?.typed !== found.wanted.typed) return false; // it was for what stood there before
    const item = found.items[found.chosen]?.text;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if ((event.key === "Tab" && !event.shiftKey) || (event.key === "Enter" && item !== text)) take(item ?? "");
    else if (event.key === "Escape") {
      setDropped(text);
      event.stopPropagation();
    } else return false;
    event.preventDefault();
    return true;
  };
  return {
    id,
    key,
    active: `${id}-${found?.chosen ?? 0}`,
    look: () => setCursor(box.current?.selectionStart ?? 0),
    close: () => setFound(undefined),
    list: found ? (
      <ul className="menu up suggestions" id={id} role="listbox" aria-label={found.wanted.kind === "file" ? "Files" : "Commands"}>
        {found.items.map(({ text: item, about }, i) => (
          <li
            key={item}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === found.chosen}
            className="item"
            onPointerDown={(event) => {
              event.preventDefault();
              take(item);
            }}
          >
            <Icon name={found.wanted.kind === "file" ? "file" : "terminal"} small />
            <code className="cut">{oneLine(item)}</code>
            <span className="end">{about}</span>
          </li>
        ))}
      </ul>
    ) : undefined,
  };
}
