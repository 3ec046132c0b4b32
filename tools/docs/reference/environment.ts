import { knownProviders } from "../../../packages/daemon/src/model/known-providers.ts";
import { searchServices } from "../../../packages/daemon/src/system/web/search-services.ts";
import { code, codes, table } from "../markdown.ts";
import type { Page } from "./page.ts";

/** The variables that Baton reads. A test compares the names with the code. */
export const variables: Readonly<Record<string, string>> = {
  BATON_HOME: "One folder for all of Baton's files, instead of the standard folders. Each home has its own daemon.",
  BATON_SANDBOX: "`off` turns the sandbox off, whatever the config says.",
  BATON_MODEL: "The model of new sessions, instead of `model` in the config.",
  BATON_DATABASE_URL: "The address of a libSQL server for the store, instead of `database.url` in the config.",
  BATON_DATABASE_TOKEN: "The token of that server.",
  BATON_DEMO_SCRIPT: "The script behind the model `demo/tour`. `baton demo` sets it.",
  NO_COLOR: "If it is set, the terminal output has no colors.",
  COLORTERM: "`truecolor` or `24bit` enables all colors.",
  TERM: "`dumb` uses plain lines instead of the full terminal client.",
  COLUMNS: "The width of output that does not go to a terminal.",
  SHELL: "The shell for `! command` in the terminal.",
  VISUAL: "The editor for prompts (Ctrl+X) and for `baton modes edit`.",
  EDITOR: "The editor, if `VISUAL` is not set.",
  PAGER: "The program that shows a whole session (Ctrl+T). `less` by default.",
  LESS: "The options of `less`. `-R` by default.",
  TERM_PROGRAM: "Shows which notifications the terminal can show.",
  KITTY_WINDOW_ID: "Shows that the terminal is kitty.",
  VTE_VERSION: "Shows that the terminal belongs to the VTE family.",
  WT_SESSION: "Shows that the terminal is Windows Terminal.",
  TMUX: "Shows that tmux is between Baton and the terminal. It passes only the bell on.",
  STY: "The same for GNU screen.",
  ZELLIJ: "The same for Zellij.",
  WAYLAND_DISPLAY: "Shows that `wl-paste` can read the clipboard.",
  DISPLAY: "Shows that `xclip` can read the clipboard.",
  PATH: "Where Baton looks for programs.",
  HOME: "Your home folder.",
  PYTHONPATH: "If it is set, commands with Python code in them ask, because the code may load modules from these folders.",
  XDG_CONFIG_HOME: "Where the config folders of Baton, of other agents, and of direnv and mise are, on Linux.",
  NVM_DIR: "The folder of nvm, for the [environments](../guides/environments.md) of commands. `~/.nvm` without it.",
  DIRENV_CONFIG: "The settings folder of direnv, for the environments of commands.",
  XDG_STATE_HOME: "Where the state folder is, on Linux.",
  APPDATA: "Where VS Code keeps the custom modes of extensions, on Windows.",
  ProgramData: "Where the managed config is, on Windows.",
  SystemRoot: "Where PowerShell and cmd are, on Windows.",
  ComSpec: "The file of cmd, on Windows.",
  Path: "Another spelling of `PATH`, on Windows.",
  DBUS_SESSION_BUS_ADDRESS: "Without it, Baton does not look for a keychain on Linux.",
};

export const environmentPage = (): Page => ({
  file: "environment.md",
  title: "Environment variables",
  about: "The daemon knows the environment in which it was started. After a change, run `baton daemon restart`.",
  parts: [
    "## Baton",
    table(
      ["variable", "effect"],
      Object.entries(variables).map(([name, about]) => [code(name), about]),
    ),
    "## Keys of providers",
    "Baton uses the first variable that is set. [Provider keys](../guides/provider-keys.md) describes the other ways to give Baton a key.",
    table(
      ["provider", "variables"],
      knownProviders.flatMap(({ name, keyNames }) => (keyNames ? [[code(name), codes(keyNames)]] : [])),
    ),
    "## Keys of services for web searches",
    "[Web search](../guides/web-search.md) describes the setting `webSearch`.",
    table(
      ["service", "variable"],
      Object.entries(searchServices).flatMap(([name, { keyNames }]) => (keyNames ? [[code(name), codes(keyNames)]] : [])),
    ),
    "## Commands of the agent",
    "Commands get only harmless variables. `passEnv` passes more, see [settings](../settings.md#the-environment-of-commands).",
  ],
});
