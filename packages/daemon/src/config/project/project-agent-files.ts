import { existsSync } from "node:fs";
import path from "node:path";

/** Files of a project that instruct agents. Baton only uses them if the user trusts the project. */
const STEERING =
  ".baton AGENTS.md CLAUDE.md .roomodes .kilocodemodes .roo .kilocode .opencode opencode.json .kilo kilo.json .claude .github/agents .clinerules .mcp.json .lsp.json".split(
    " ",
  );

/** Those files that the workspace has. */
export const projectAgentFiles = (workspace: string): string[] => STEERING.filter((name) => existsSync(path.join(workspace, name)));
