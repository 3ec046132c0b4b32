import { oneLine } from "../sanitize.ts";

/** The question of an approval: `Call add of notes?` for the tool `notes__add` of an MCP server, and `Allow NAME?` for others. */
export function approvalTitle(tool: string): string {
  const [, server, name] = /^(.+?)__(.+)$/.exec(tool) ?? [];
  return server === undefined || name === undefined ? `Allow ${tool}?` : `Call ${oneLine(name)} of ${oneLine(server)}?`;
}
