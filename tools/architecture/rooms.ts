/**
 * Who may import whom. A name covers a file (`core/mode/transition`) or everything below a folder (`core/mode`).
 * A room may always import itself; everything that is not listed is an error.
 */
export type Room = {
  may: string[];
  /** Only by `import type`. */
  typesOf?: string[];
  /** Packages from outside; any when not given. */
  packages?: string[];
  /** Whether modules of Node may be imported; yes when not given. */
  node?: false;
};

const pure = (may: string[], packages = ["zod"]): Room => ({ may, packages, node: false });
const clientOf = (name: string): Room => ({ may: [name, "core", "daemon/client"], typesOf: ["daemon/api/router"] });
const pageOf = (name: string): Room => ({ ...clientOf(name), node: false });
const anything: Room = { may: ["core", "daemon"] };

export const rooms: Record<string, Room> = {
  "core/text": pure(["core/protocol"]),
  "core/protocol": pure([]),
  "core/permission": pure(["core/protocol", "core/text"], ["zod", "re2js", "@eslint-community/regexpp"]),
  "core/mode": pure(["core/protocol", "core/permission", "core/text"]),
  "core/toolset": pure(["core/protocol", "core/text"]),
  "core/session": pure(["core/protocol", "core/text", "core/mode/transition"]),
  "core/client": pure(["core/protocol", "core/session", "core/text"], ["zod", "@trpc/client", "@trpc/server"]),

  "daemon/log": { may: ["core", "daemon/port/blob-sweep"], typesOf: ["daemon/port/blob"] },
  "daemon/port": { may: ["core"] },
  "daemon/permission": { may: ["core"] },
  "daemon/mode": { may: ["core"] },
  "daemon/instruction": { may: ["core", "daemon/mode/text"], typesOf: ["daemon/port", "daemon/session"] },
  "daemon/model": { may: ["core"] },
  "daemon/mcp": { may: ["core", "daemon/tool/define"], typesOf: ["daemon/port"] },
  "daemon/config": { may: ["core"] },
  "daemon/tool": { may: ["core"], typesOf: ["daemon/port"] },
  "daemon/session": {
    may: ["core", "daemon/tool"],
    typesOf: ["daemon/log", "daemon/model", "daemon/mcp", "daemon/port", "daemon/permission"],
  },
  "daemon/api": {
    may: ["core", "daemon/session"],
    typesOf: [
      "daemon/log",
      "daemon/port",
      "daemon/permission",
      "daemon/mode",
      "daemon/instruction",
      "daemon/model",
      "daemon/mcp",
      "daemon/config",
      "daemon/tool",
      "daemon/world",
    ],
  },
  "daemon/client": { may: ["core"], typesOf: ["daemon/api/router"] },
  "daemon/world": anything,
  "daemon/main": anything,
  "daemon/store": { may: ["daemon/log", "daemon/client/places"] },
  "daemon/daemon": anything,

  "cli/main": clientOf("cli"),
  "cli/acp": clientOf("cli"),
  "cli/command": clientOf("cli"),
  "cli/render": clientOf("cli"),

  "web/main": pageOf("web"),
  "web/link": pageOf("web"),
  "web/store": pageOf("web"),
  "web/view": pageOf("web"),
  "web/page": pageOf("web"),
  "web/settings": pageOf("web"),

  "vscode/extension": clientOf("vscode"),
  "vscode/buffer": clientOf("vscode"),
  "vscode/commands": clientOf("vscode"),
  "vscode/daemon": clientOf("vscode"),
  "vscode/panel": clientOf("vscode"),
  "vscode/request": clientOf("vscode"),
  "vscode/session": clientOf("vscode"),
  "vscode/mention": clientOf("vscode"),
};

/** Packages of which other rooms may import types only: nothing above the log depends on what the store is. */
export const owners: Record<string, string> = {
  "drizzle-orm": "daemon/log",
  "@libsql/client": "daemon/log",
  libsql: "daemon/log",
};

/** Public names of our packages, where they differ from the path of the file. */
export const faces: Record<string, string> = {
  "daemon/client": "daemon/client/index",
  "daemon/places": "daemon/client/places",
  "daemon/compile-cache": "daemon/client/compile-cache",
  "daemon/router": "daemon/api/router",
};
