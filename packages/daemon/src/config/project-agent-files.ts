import { existsSync } from "node:fs";
import path from "node:path";

/** Names in a project's folder that steer agents. They count only where the project is trusted. */
const STEERING =
  ".baton AGENTS.md CLAUDE.md .roomodes .kilocodemodes .roo .kilocode .opencode opencode.json .kilo kilo.json .claude .github/agents .clinerules .mcp.json".split(
    " ",
  );

/** Those of them that a workspace has. */
export const projectAgentFiles = (workspace: string): string[] => STEERING.filter((name) => existsSync(path.join(workspace, name)));
