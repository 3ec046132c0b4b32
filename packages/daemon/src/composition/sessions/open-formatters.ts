import { findFormatter } from "../../formatter/find-formatter.ts";
import { formatFile } from "../../formatter/format-file.ts";
import { findProgram, isOfProject } from "../../language/find-program.ts";
import { pathGate } from "../../permission/path.ts";
import type { SessionFormatters } from "../../session/session-dependencies.ts";
import type { StdioProcesses } from "../../system/commands/stdio-process.ts";
import { limitedSandbox } from "../agent/limited-sandbox.ts";
import { isTrusted, type Foundation } from "../foundation/open-foundation.ts";

/** The formatters of the user's config. Their programs may be those of the project, so they only run in trusted workspaces. */
export function openFormatters(foundation: Foundation, processes: StdioProcesses): SessionFormatters {
  const { config, env, report } = foundation;
  return {
    async format(workspace, path, signal) {
      const settings = config.now().config.formatter;
      const target = settings ? pathGate(workspace)(path) : undefined;
      if (!settings || !target || "refused" in target || !isTrusted(foundation, workspace)) return undefined;
      const command = findFormatter(target.real, settings);
      if (!command) return undefined;
      const found = findProgram(command.program, workspace, env);
      const isOwn = found !== undefined && isOfProject(found, workspace);
      const options = {
        processes,
        sandbox: limitedSandbox(isOwn ? foundation.sandbox.forTools() : foundation.sandbox.forServers(), workspace, foundation),
        program: found?.file,
        command,
        cwd: workspace,
        report: (problem: string) => report(problem, undefined),
      };
      return (await formatFile(target, options, signal)) ? command.name : undefined;
    },
  };
}
