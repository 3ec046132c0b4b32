import type { KeyboardEvent } from "react";

/**
 * Moves the focus between the items of a list with the arrow keys, Home and End. The list is one Tab stop: every item but one has
 * `tabIndex={-1}`.
 */
export function moveWithArrows(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof Element) || !event.target.matches(".item")) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(".item")];
  const next = items[target(event.key, items.indexOf(event.target as HTMLElement), items.length) ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function target(key: string, at: number, length: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, length - 1);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return length - 1;
    default:
      return undefined;
  }
}
