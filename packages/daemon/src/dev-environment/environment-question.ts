import { hash } from "node:crypto";
import { escapeInvisible } from "@baton/core/text/sanitize";
import type { EnvironmentTool } from "@baton/core/protocol/config/dev-environment-tool";
import type { View } from "@baton/core/protocol/tool-view";
import type { FilesToApprove } from "./files-to-approve.ts";
import type { FoundTool } from "./environment.ts";

/** The question whether commands get the environment of a folder. `hashes`: the files that would be approved. */
export type EnvironmentQuestion = {
  folder: string;
  uses: readonly EnvironmentTool[];
  hashes: readonly string[];
  hash: string;
  /** The user has chosen these tools before, and a file has changed. */
  isAgain: boolean;
  header: string;
  text: string;
  view: View;
};

/** A found tool, with the files that the user approves for it. */
export type CoveredTool = FoundTool & { coverage?: FilesToApprove | undefined };

const MAX_SHOWN = 6_000;

/** Asks once about all tools of a folder, and again about files that have changed. `isAgain`: the user has chosen these tools before. */
export function environmentQuestion(folder: string, tools: readonly CoveredTool[], isAgain: boolean): EnvironmentQuestion {
  const hashes = tools.flatMap(({ coverage }) => (coverage ? [coverage.hash] : []));
  const named = tools.map(({ tool, source }) => `${source} (${tool})`).join(" and ");
  const runs =
    hashes.length > 0 ? " Its files can run programs when Baton reads them, with your permissions where there is no sandbox." : "";
  return {
    folder,
    uses: tools.map(({ tool }) => tool),
    hashes,
    hash: hash("sha256", JSON.stringify([folder, tools.map(({ tool, source }) => [tool, source]), hashes])),
    isAgain,
    header: "Use this environment?",
    text: `${folder} has ${named}${isAgain ? ", which has changed" : ""}. With it, commands of agents in this folder run as in a shell where it is active.${runs}`,
    view: { type: "text", format: "plain", text: escapeInvisible(shownText(tools)) },
  };
}

/** Every file that the user approves. A long file is cut, and says so. */
function shownText(tools: readonly CoveredTool[]): string {
  const parts = tools.flatMap(({ tool, source, coverage }) =>
    coverage ? coverage.files.map(({ name, text }) => `${name}\n${indented(text)}`) : [`${source}: ${NOTHING_RUNS[tool] ?? ""}`],
  );
  return parts.join("\n\n");
}

const NOTHING_RUNS: Partial<Record<EnvironmentTool, string>> = {
  nvm: "commands get the version of Node that it names",
  venv: "commands find its programs, such as python and pip",
};

function indented(text: string): string {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}\n(${text.length - MAX_SHOWN} characters more)` : text;
  return cut.trimEnd().replaceAll(/^/gm, "  ");
}
