import { useEffect, useRef } from "react";
import { shortcutFor, type Shortcut } from "../store/shortcuts.ts";

/** Handles keys outside of text fields. `onTyping` is called for keys in a text field. */
export function useShortcuts(onShortcut: (onShortcut: Shortcut, event: KeyboardEvent) => void, onTyping: () => void): void {
  const latest = useRef({ deed: onShortcut, onTyping });
  latest.current = { deed: onShortcut, onTyping };
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
      const what = shortcutFor(event, after);
      if (what) latest.current.deed(what, event);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

const NO_TEXT = new Set(["Escape", "Tab", "Shift", "Control", "Alt", "Meta"]);

/** Whether an element belongs to a request card. */
export const isInRequest = (target: EventTarget | null): boolean => target instanceof Element && target.closest(".request") !== null;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable], .menu") !== null;
