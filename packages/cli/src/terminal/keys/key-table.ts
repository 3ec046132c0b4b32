import { editActions, promptActions, type KeyAction } from "@baton/core/terminal/key-actions";
import type { KeyBindings } from "@baton/core/terminal/key-bindings";
import { keyLabel } from "@baton/core/terminal/key-name";

/** Keys and their effect. */
type KeyRow = readonly [keys: string, about: string];

/** Keys whose effect depends on what is typed or open. They cannot be changed. */
const fixedKeys: readonly KeyRow[] = [
  ["1 … 9", "answer the request"],
  ["d  e  n  v", "deny, edit rule, note, full text (in an approval)"],
  ["Tab", "completes @ and / while suggestions are open"],
  ["! command", "runs in your shell; its output goes to your next prompt"],
  ["?", "shows the help, in an empty line"],
];

/** The keys that the help in the terminal shows. An action without a key is left out. */
export const promptKeyRows = (bindings: KeyBindings): KeyRow[] => [...rows(promptActions, bindings), ...fixedKeys];

/** Keys that move the cursor and edit text. */
export const editKeyRows = (bindings: KeyBindings): KeyRow[] => rows(editActions, bindings);

function rows(actions: Partial<Record<KeyAction, { about: string }>>, bindings: KeyBindings): KeyRow[] {
  const entries = Object.entries(actions) as [KeyAction, { about: string }][]; // the table has only actions as keys
  return entries.flatMap(([action, { about }]): KeyRow[] => {
    const keys = bindings.keysOf(action);
    return keys.length === 0 ? [] : [[keys.map(keyLabel).join(", "), about]];
  });
}
