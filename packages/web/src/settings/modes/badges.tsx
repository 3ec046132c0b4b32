import { modeBadges } from "./mode-summary.ts";
import type { Diagnostic, ListedMode } from "./use-modes.ts";

/** Whose a mode is, what it overrides, and what is wrong with it. */
export const Badges = ({ mode, diagnostics }: { mode: ListedMode; diagnostics: readonly Diagnostic[] }) =>
  modeBadges(mode, diagnostics).map(({ text, fail }) => (
    <span key={text} className={fail ? "tag fail" : "tag"}>
      {text}
    </span>
  ));
