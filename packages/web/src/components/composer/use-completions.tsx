import type { AdditionalRoot } from "@baton/core/protocol/event";
import { oneLine } from "@baton/core/text/sanitize";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { useApp } from "../../store/app-context.ts";
import { Icon } from "../icon.tsx";
import { useMentionables } from "./use-mentionables.ts";
import type { Mention } from "@baton/core/protocol/connection/webview-messages";

export type ComposerCommand = { name: string; about: string; run: (argument: string) => void };

type Props = {
  draftKey: string;
  /** The folder for file completion. */
  cwd: string | undefined;
  /** The other folders of the session, whose files are completed too. */
  roots?: readonly AdditionalRoot[] | undefined;
  commands: readonly ComposerCommand[];
  box: RefObject<HTMLTextAreaElement | null>;
};

const NO_ROOTS: readonly AdditionalRoot[] = [];

type Completions = { query: CompletionQuery; items: readonly { text: string; about: string }[]; chosen: number };

/** Offers completions for `@` and `/` below the cursor. */
export function useCompletions({ draftKey, cwd, roots = NO_ROOTS, commands, box }: Props, text: string) {
  const { drafts, link, mentions } = useApp();
  const [found, setFound] = useState<Completions>();
  const [cursor, setCursor] = useState(0);
  const [dropped, setDropped] = useState<string>();
  const id = useId();
  /** Whether to insert the best of the next suggestions at once. */
  const eager = useRef(false);
  const completion = completionAt(text, Math.min(cursor, text.length));
  const typed = completion?.typed;
  const { commands: fileCommands, resources } = useMentionables(completion ? cwd : undefined);
  useEffect(() => {
    if (!completion || dropped === text) return setFound(undefined);
    if (completion.kind === "command") {
      const fitting = [...commands, ...fileCommands.filter(({ name }) => !commands.some((own) => own.name === name))]
        .filter(({ name }) => name.startsWith(completion.typed))
        .map(({ name, about }) => ({ text: `/${name}`, about: oneLine(about) }));
      return setFound(fitting.length === 0 ? undefined : { query: completion, items: fitting, chosen: 0 });
    }
    if (cwd === undefined) return setFound(undefined);
    const abort = new AbortController();
    link.api.workspace.files
      .query({ cwd, query: completion.typed.slice(0, 200), roots: roots.map(({ path }) => path) }, { signal: abort.signal })
      .then((files) => {
        const near = matchMentions(completion.typed, [...mentions.get(), ...(completion.typed === "" ? [] : resources)]);
        const others = files.map((file) => ({ text: `@${file}`, about: "" }));
        const items = [...near, ...others.filter(({ text: file }) => !near.some((each) => each.text === file))].slice(0, 8);
        if (abort.signal.aborted) return;
        const [best] = items;
        if (eager.current && best) take(best.text, completion);
        else setFound(best ? { query: completion, items, chosen: 0 } : undefined);
        eager.current = false;
      })
      .catch(() => undefined); // the user can type without completion
    return () => abort.abort();
    // `wanted` is a new object each time; these are its values
  }, [completion?.kind, completion?.start, typed, dropped, cwd, roots, fileCommands, resources]);

  const take = (item: string, at = found?.query) => {
    if (!at) return;
    const next = applyCompletion(text, Math.min(cursor, text.length), at, item);
    drafts.of(draftKey).set(next.text);
    setFound(undefined);
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(next.cursor, next.cursor);
    });
  };
  const move = (by: number) => setFound((now) => now && { ...now, chosen: (now.chosen + by + now.items.length) % now.items.length });
  const key = (event: KeyboardEvent): boolean => {
    const { value = "", selectionStart = 0 } = box.current ?? {};
    if (!found) return false;
    const current = completionAt(value, selectionStart);
    if (current?.typed !== found.query.typed) {
      // These suggestions are for an older text. Tab inserts the best of the next ones.
      eager.current = event.key === "Tab" && !event.shiftKey && current !== undefined;
      if (eager.current) event.preventDefault();
      return eager.current;
    }
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
      <ul className="menu up suggestions" id={id} role="listbox" aria-label={found.query.kind === "file" ? "Files" : "Commands"}>
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
            <Icon name={found.query.kind === "file" ? "file" : "terminal"} small />
            <code className="cut">{oneLine(item)}</code>
            <span className="end">{about}</span>
          </li>
        ))}
      </ul>
    ) : undefined,
  };
}

/** The word to complete. `start` is where it begins in the text. */
type CompletionQuery = { kind: "file" | "command"; start: number; typed: string };

/** A file for a word that begins with `@`, a command for a text that begins with `/`. */
export function completionAt(text: string, cursor: number): CompletionQuery | undefined {
  const typed = text.slice(0, cursor);
  const command = /^\/(\S*)$/.exec(typed);
  if (command) return { kind: "command", start: 0, typed: command[1] ?? "" };
  const file = /(?:^|\s)@(\S*)$/.exec(typed)?.[1];
  return file === undefined ? undefined : { kind: "file", start: cursor - file.length - 1, typed: file };
}

/** The text with a suggestion inserted, and the new cursor. */
export function applyCompletion(text: string, cursor: number, { start }: CompletionQuery, item: string): { text: string; cursor: number } {
  const put = item.endsWith("/") ? item : `${item} `;
  return { text: text.slice(0, start) + put + text.slice(cursor), cursor: start + put.length };
}

/** The editor's mentions that match the typed text by their text or their kind. */
export function matchMentions(typed: string, mentions: readonly Mention[]): Mention[] {
  const completion = typed.toLowerCase();
  return mentions.filter(({ text, about }) => text.slice(1).toLowerCase().includes(completion) || about.startsWith(completion));
}
