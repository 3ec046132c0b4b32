import { expect, test } from "vitest";
import { check } from "../architecture/check.ts";

const faults = (sources: Record<string, string>) =>
  check(new Map(Object.entries(sources).map(([file, text]) => [`packages/${file}`, text])));
const fault = (file: string, text: string) => faults({ [file]: text })[0];

test("an import that the table lists is valid", () => {
  expect(
    faults({
      "core/src/session/next.ts": `import * as z from "zod"; import { enter } from "../mode/mode-transition.ts"; export * from "./state.ts";`,
      "core/src/session/state.ts": `import type { CallId } from "../protocol/ids.ts";`,
      "daemon/src/tool/read-file.ts": `import type { Files } from "../system/files.ts"; import { Call } from "@baton/core/protocol/tool-call";`,
      "daemon/src/session/session.ts": `import type { EventLog } from "../store/event-log.ts"; import { tools } from "../tool/index.ts";`,
      "daemon/src/client/connect.ts": `import type { AppRouter } from "../api/router.ts"; import fs from "node:fs";`,
      "daemon/src/mcp/toolset.ts": `import { actingTool } from "../tool/tool-types.ts";`,
      "daemon/src/store/database.ts": `import { drizzle } from "drizzle-orm/libsql"; const lazy = await import("@libsql/client");`,
      "daemon/src/composition-root.ts": `import { openLog } from "./store/event-log.ts"; import { tools } from "./tool/index.ts";`,
      "cli/src/commands/run.ts": `import { connect } from "@baton/daemon/client"; import type { AppRouter } from "@baton/daemon/router"; import { draw } from "../render/call.ts";`,
      "web/src/page/session.tsx": `import "./session.css"; import { Diff } from "../components/diff.tsx"; export const Page = () => <Diff />;`,
    }),
  ).toEqual([]);
});

test("core imports neither Node nor other packages, in any form of import", () => {
  expect(fault("core/src/mode/index.ts", `import { readFileSync } from "node:fs";`)).toMatch("runs without Node");
  expect(fault("core/src/mode/index.ts", `const { join } = await import("path");`)).toMatch("runs without Node");
  expect(fault("core/src/mode/index.ts", `import type { Stats } from "fs";`)).toMatch("runs without Node");
  expect(fault("core/src/session/next.ts", `export { z } from "ws";`)).toMatch("may only import zod");
  expect(fault("core/src/session/next.ts", `import "@trpc/client";`)).toMatch("imports @trpc/client, but core/session may only import zod");
});

test("a room cannot import another one that the table does not list", () => {
  expect(fault("core/src/protocol/event.ts", `import { reduce } from "../session/reduce.ts";`)).toMatch(
    "imports core/session/reduce, which",
  );
  expect(fault("core/src/session/next.ts", `import { merge } from "../mode/merge.ts";`)).toMatch("imports core/mode/merge, which");
  expect(fault("core/src/session/next.ts", `import { judge } from "@baton/core/permission/judge";`)).toMatch("core/permission/judge");
  expect(fault("daemon/src/session/session.ts", `import type { Config } from "../config/load.ts";`)).toMatch("imports daemon/config/load");
  expect(fault("daemon/src/mcp/toolset.ts", `import { tools } from "../tool/index.ts";`)).toMatch("imports daemon/tool/index");
  expect(fault("daemon/src/store/event-log.ts", `export * from "../session/session.ts";`)).toMatch("imports daemon/session/session");
});

test("if the table lists only types, a value is an error, and so is an inline type import that loads the module", () => {
  expect(fault("daemon/src/tool/read-file.ts", `import { files } from "../system/files.ts";`)).toMatch("may only import types");
  expect(fault("daemon/src/tool/read-file.ts", `import { type Files } from "../system/files.ts";`)).toMatch("may only import types");
  expect(fault("daemon/src/client/connect.ts", `import { router } from "../api/router.ts";`)).toMatch("may only import types");
  expect(fault("cli/src/main.ts", `import { router } from "@baton/daemon/router";`)).toMatch("may only import types");
});

test("clients import the daemon's client and nothing else of it, nor each other", () => {
  expect(fault("cli/src/main.ts", `import { world } from "@baton/daemon/world";`)).toMatch("daemon/world, which cli/main may not");
  expect(fault("cli/src/main.ts", `import { connect } from "../../daemon/src/client/index.ts";`)).toMatch("by its name");
  expect(fault("vscode/src/panel.ts", `import { Diff } from "@baton/web/components/diff";`)).toMatch("web/components/diff");
  expect(fault("web/src/main.tsx", `import os from "node:os";`)).toMatch("runs without Node");
});

test("only the store room imports the database packages", () => {
  expect(fault("daemon/src/composition-root.ts", `import { createClient } from "@libsql/client/sqlite3";`)).toMatch(
    "which only daemon/store may",
  );
  expect(fault("cli/src/main.ts", `import { sql } from "drizzle-orm";`)).toMatch("which only daemon/store may");
});

test("a file outside of every room is an error", () => {
  expect(faults({ "core/src/util.ts": "", "daemon/src/helper/x.ts": "", "cloud/src/main.ts": "" })).toEqual([
    "packages/core/src/util.ts is in no room",
    "packages/daemon/src/helper/x.ts is in no room",
    "packages/cloud/src/main.ts is in no room",
  ]);
});

test("a cycle is found, also through package names and re-exports, and one of types too", () => {
  expect(
    faults({
      "core/src/mode/index.ts": `export * from "./merge.ts";`,
      "core/src/mode/merge.ts": `import { modes } from "@baton/core/mode/index";`,
    }),
  ).toEqual(["import cycle: core/mode/index -> core/mode/merge -> core/mode/index"]);
  expect(
    faults({
      "core/src/mode/index.ts": `export * from "./merge.ts";`,
      "core/src/mode/merge.ts": `import type { Modes } from "./index.ts";`,
    }),
  ).toEqual(["import cycle: core/mode/index -> core/mode/merge -> core/mode/index"]);
});

test("an import must end in .ts, and the error names its line", () => {
  expect(fault("core/src/mode/index.ts", `\nimport { a } from "./a.js";`)).toBe(
    "packages/core/src/mode/index.ts:2 imports ./a.js: write its ending as .ts",
  );
});
