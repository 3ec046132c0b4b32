import { cliSlashCommands } from "../../../packages/cli/src/terminal/commands/baton-subcommands.ts";
import { slashCommands } from "../../../packages/cli/src/terminal/commands/slash-commands.ts";
import { defaultBindings } from "../../../packages/core/src/terminal/key-bindings.ts";
import { editKeyRows, promptKeyRows } from "../../../packages/cli/src/terminal/keys/key-table.ts";
import { SHORTCUT_HELP as pageKeys } from "../../../packages/web/src/store/shortcuts.ts";
import { code, table } from "../markdown.ts";
import type { Page } from "./page.ts";

type Row = readonly [keys: string, about: string];

const keyTable = (rows: readonly Row[]): string =>
  table(
    ["keys", "effect"],
    rows.map(([keys, about]) => [code(keys), about]),
  );

export const keysPage = (): Page => ({
  file: "keys.md",
  title: "Keys and slash commands",
  about: "A key answers a request only after a short delay, so that a key that you meant for something else does not answer it.",
  parts: [
    "## Terminal",
    "Press `?` in an empty line to see these keys. `terminal.keys` in `config.jsonc` [changes them](../settings.md#keys-of-the-terminal); `/keys` shows the ones that are in effect.",
    keyTable(promptKeyRows(defaultBindings)),
    "### Editing the prompt",
    keyTable(editKeyRows(defaultBindings)),
    "## Page",
    "These keys work on the page and in the VS Code view, outside of text fields unless the table says otherwise. `?` lists them.",
    keyTable(pageKeys),
    "## Slash commands of the terminal",
    "Type them at the start of the prompt. An unambiguous beginning of the name is enough. Your own [commands and skills](../modes.md#skills-and-slash-commands) work in the same way.",
    table(
      ["command", "effect"],
      [...slashCommands, ...cliSlashCommands].map(({ name, about }) => [code(`/${name}`), about]),
    ),
  ],
});
