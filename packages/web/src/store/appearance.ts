import { observableValue, type ObservableValue } from "../connection/observable.ts";
import type { DraftStorage } from "./session/drafts.ts";

const THEMES = ["system", "light", "dark"] as const;
const CONTRASTS = ["system", "more"] as const;

/** Editors whose links open a file, by the scheme of their addresses. */
type Editor = "vscode" | "vscode-insiders" | "vscodium" | "cursor" | "windsurf" | "none";

type Look = { theme: (typeof THEMES)[number]; contrast: (typeof CONTRASTS)[number]; editor: Editor };

const USUAL: Look = { theme: "system", contrast: "system", editor: "vscode" };

/** The theme and contrast of the page in this browser, and the editor that opens files. */
export type Appearance = { value: ObservableValue<Look>; set: (change: Partial<Look>) => void };

const KEY = "baton.appearance";

/** `?theme=dark` and `?contrast=more` override the stored choice until the next load. */
export function openAppearance(store: DraftStorage, root: HTMLElement, params: URLSearchParams): Appearance {
  const stored = parseLook(store.getItem(KEY));
  const value = observableValue<Look>(stored);
  apply(root, {
    ...stored,
    theme: THEMES.find((each) => each === params.get("theme")) ?? stored.theme,
    contrast: CONTRASTS.find((each) => each === params.get("contrast")) ?? stored.contrast,
  });
  return {
    value,
    set: (change) => {
      value.set({ ...value.get(), ...change });
      store.setItem(KEY, JSON.stringify(value.get()));
      apply(root, value.get());
    },
  };
}

function apply(root: HTMLElement, look: Look): void {
  for (const name of ["theme", "contrast"] as const) {
    if (look[name] === "system") delete root.dataset[name];
    else root.dataset[name] = look[name];
  }
}

function parseLook(stored: string | null): Look {
  try {
    return { ...USUAL, ...(JSON.parse(stored ?? "{}") as Partial<Look>) }; // written by this file
  } catch {
    return USUAL; // not written by this file
  }
}
