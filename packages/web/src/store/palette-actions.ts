/** An action that the user can find by its name in the command palette. */
export type PaletteAction = {
  icon: string;
  label: string;
  /** More words by which it is found. */
  hint?: string;
  run: () => void | Promise<unknown>;
};

/** The actions whose label or hint has all typed words, those whose label begins with the text first. */
export function matchPaletteActions(actions: readonly PaletteAction[], typed: string): PaletteAction[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ label, hint = "" }: PaletteAction) => words.every((word) => `${label} ${hint}`.toLowerCase().includes(word));
  const first = ({ label }: PaletteAction) => (label.toLowerCase().startsWith(typed.trim().toLowerCase()) ? 0 : 1);
  return actions.filter(fits).toSorted((a, b) => first(a) - first(b));
}
