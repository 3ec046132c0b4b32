import { observableValue, type SettableValue } from "../../connection/observable.ts";
import type { Rule } from "@baton/core/protocol/rule";

/** Where drafts are stored: the tab, or the editor around the page. */
export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Drafts of prompts, by session or start page. They survive a reload of the tab. */
export type Drafts = { of: (draftKey: string) => SettableValue<string> };

export function openDrafts(store: DraftStorage): Drafts {
  const known = new Map<string, SettableValue<string>>();
  return {
    of: (draftKey) => {
      const found = known.get(draftKey);
      if (found) return found;
      const key = `baton.draft.${draftKey}`;
      const draft = observableValue(store.getItem(key) ?? "");
      draft.watch(() => keep(store, key, draft.get()));
      known.set(draftKey, draft);
      return draft;
    },
  };
}

function keep(store: DraftStorage, key: string, text: string): void {
  try {
    if (text === "") store.removeItem(key);
    else store.setItem(key, text);
  } catch {
    store.removeItem(key); // too large for the browser's storage, so it lasts until the page is closed
  }
}

/** The text that the user has typed for an answer so far. */
export type AnswerDraft = {
  rule?: Rule;
  note?: string;
  text?: string;
  typing?: "rule" | "note";
  full?: boolean;
  fields?: Readonly<Record<string, string>>;
};
