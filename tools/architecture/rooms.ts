/**
 * The folders ("rooms") and what each may import. A name covers a file (`core/mode/mode-transition`) or everything below a folder
 * (`core/mode`). A room may always import itself. Everything that is not listed is an error.
 */
type Room = {
  may: string[];
  /** May be imported by `import type` only. */
  typesOf?: string[];
  /** External packages. Default: any. */
  packages?: string[];
  /** Whether Node's modules may be imported. Default: yes. */
  node?: false;
};

const pure = (may: string[], packages = ["zod"]): Room => ({ may, packages, node: false });
const clientOf = (name: string): Room => ({ may: [name, "core", "daemon/client"], typesOf: ["daemon/api/router"] });
const pageOf = (name: string): Room => ({ ...clientOf(name), node: false });
const anything: Room = { may: ["core", "daemon"] };

export const rooms: Record<string, Room> = {
  "core/text": pure(["core/protocol"], ["zod", "re2js", "@eslint-community/regexpp"]),
  "core/protocol": pure([]),
  "core/tool": pure(["core/protocol"]),
  "core/permission": pure(["core/protocol", "core/text", "core/tool"]),
  "core/mode": pure(["core/protocol", "core/permission", "core/text", "core/tool"]),
  "core/toolset": pure(["core/protocol", "core/text"]),
  "core/terminal": pure([]),
  "core/place": pure(["core/protocol"]),
  "core/session": pure(["core/protocol", "core/text", "core/mode/mode-transition"]),
  "core/client": pure(["core/protocol", "core/session", "core/text"], ["zod", "@trpc/client", "@trpc/server"]),

  "daemon/store": { may: ["core", "daemon/system/files/blob-sweep"], typesOf: ["daemon/system/files/blob"] },
  "daemon/system": { may: ["core"] },
  "daemon/permission": { may: ["core"] },
  "daemon/mode": { may: ["core", "daemon/system/platform"] },
  "daemon/instructions": { may: ["core", "daemon/mode/parse"], typesOf: ["daemon/system", "daemon/session"] },
  "daemon/model": { may: ["core"], typesOf: ["daemon/system/platform"] },
  "daemon/mcp": { may: ["core", "daemon/tool/tool-types"], typesOf: ["daemon/system"] },
  "daemon/config": { may: ["core"] },
  "daemon/hook": {
    may: ["core", "daemon/config", "daemon/script-hash", "daemon/system/commands/run-with-input"],
    typesOf: ["daemon/system"],
  },
  "daemon/script-hash": { may: ["core"] },
  "daemon/script-tool": {
    may: [
      "core",
      "daemon/config/json-error-message",
      "daemon/script-hash",
      "daemon/tool/tool-types",
      "daemon/system/commands/run-with-input",
    ],
    typesOf: ["daemon/system"],
  },
  "daemon/dev-environment": {
    may: ["core", "daemon/permission/command/words/harmless-variables", "daemon/system/commands/child-env"],
    typesOf: ["daemon/system"],
  },
  "daemon/plugin": {
    may: [
      "core",
      "daemon/config",
      "daemon/hook",
      "daemon/instructions",
      "daemon/mcp/server-definition",
      "daemon/mode/format",
      "daemon/place/git",
    ],
  },
  "daemon/tool": { may: ["core"], typesOf: ["daemon/system"] },
  "daemon/session": {
    may: ["core", "daemon/tool", "daemon/hook/tool-names"],
    typesOf: [
      "daemon/store",
      "daemon/hook",
      "daemon/script-tool",
      "daemon/dev-environment",
      "daemon/model",
      "daemon/mcp",
      "daemon/language",
      "daemon/system",
      "daemon/permission",
    ],
  },
  "daemon/code-index": { may: ["core", "daemon/client/make-private-folder", "daemon/store/database/sqlite-version"] },
  "daemon/code-index-process": { may: ["daemon/code-index"] },
  "daemon/terminal-host-process": { may: ["daemon/system/terminals"] },
  "daemon/formatter": { may: ["core", "daemon/system/files/write-text"], typesOf: ["daemon/system"] },
  "daemon/language": {
    may: ["core", "daemon/system/commands/command-limit-watch"],
    typesOf: ["daemon/system", "daemon/tool/code/code-query-types"],
  },
  "daemon/place": { may: ["core", "daemon/tool/files/diff/diff"], typesOf: ["daemon/store", "daemon/system", "daemon/session"] },
  "daemon/api": {
    may: [
      "core",
      "daemon/config/normalize-rule",
      "daemon/session",
      "daemon/place/change-views",
      "daemon/script-tool/declared-access",
      "daemon/script-tool/tool-question",
    ],
    typesOf: [
      "daemon/store",
      "daemon/system",
      "daemon/place",
      "daemon/hook",
      "daemon/script-tool",
      "daemon/dev-environment",
      "daemon/plugin",
      "daemon/permission",
      "daemon/mode",
      "daemon/instructions",
      "daemon/model",
      "daemon/mcp",
      "daemon/language",
      "daemon/config",
      "daemon/tool",
      "daemon/composition",
    ],
  },
  "daemon/client": { may: ["core", "daemon/system/platform"], typesOf: ["daemon/api/router"] },
  "daemon/composition": anything,
  "daemon/composition-root": anything,
  "daemon/main": anything,
  "daemon/store-cli": { may: ["daemon/store", "daemon/client/paths"] },
  "daemon/daemon-process": anything,

  "cli/main": clientOf("cli"),
  "cli/acp": clientOf("cli"),
  "cli/commands": clientOf("cli"),
  "cli/connection": clientOf("cli"),
  "cli/program": clientOf("cli"),
  "cli/run": clientOf("cli"),
  "cli/terminal": clientOf("cli"),
  "cli/render": clientOf("cli"),

  "web/main": pageOf("web"),
  "web/connection": pageOf("web"),
  "web/store": pageOf("web"),
  "web/components": pageOf("web"),
  "web/page": pageOf("web"),
  "web/settings": pageOf("web"),
  "web/review": pageOf("web"),
  "web/places": pageOf("web"),
  "web/board": pageOf("web"),

  "vscode/extension": clientOf("vscode"),
  "vscode/buffer": clientOf("vscode"),
  "vscode/commands": clientOf("vscode"),
  "vscode/connection": clientOf("vscode"),
  "vscode/diagnostics": clientOf("vscode"),
  "vscode/panel": clientOf("vscode"),
  "vscode/request": clientOf("vscode"),
  "vscode/review": clientOf("vscode"),
  "vscode/scm": clientOf("vscode"),
  "vscode/session": clientOf("vscode"),
  "vscode/show-warning": clientOf("vscode"),
  "vscode/mention": clientOf("vscode"),
};

/** Packages of which other rooms may import types only, so that nothing above the store depends on its driver. */
export const owners: Record<string, string> = {
  "drizzle-orm": "daemon/store",
  "@libsql/client": "daemon/store",
  libsql: "daemon/store",
};

/** Public names of packages, where they differ from the path of the file. */
export const faces: Record<string, string> = {
  "daemon/client": "daemon/client/index",
  "daemon/paths": "daemon/client/paths",
  "daemon/compile-cache": "daemon/client/compile-cache",
  "daemon/router": "daemon/api/router",
};
