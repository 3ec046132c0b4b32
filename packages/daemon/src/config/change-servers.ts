import { readFile, rename, writeFile } from "node:fs/promises";
import type { McpServer } from "@baton/core/protocol/mcp";
import { applyEdits, modify } from "jsonc-parser";

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** Puts servers into the config, or takes those out that are undefined. Comments stay. */
export async function changeServers(file: string, servers: Readonly<Record<string, McpServer | undefined>>): Promise<void> {
  const before = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}\n";
    throw error;
  });
  const text = Object.entries(servers).reduce(
    (now, [name, server]) => applyEdits(now, modify(now, ["mcpServers", name], server, FORMAT)),
    before,
  );
  const beside = `${file}.${process.pid}.tmp`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, file);
}
