import { omitUndefined } from "@baton/core/text/omit-undefined";
import path from "node:path";
import { oneLine } from "@baton/core/text/sanitize";
import { fitToWidth, hangingIndent, contentWidth } from "../../render/layout.ts";
import { ruleWithSource } from "../../render/request/request.ts";
import { scriptToolLines } from "./script-tool-approval.ts";
import { fetchModeColors, terminalStyle, printJson, printLines } from "../output.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

export type ToolsOptions = { mode?: string; model?: string; cwd?: string; json?: boolean };

const MARKS = { allow: "✓ allow", ask: "◆ ask", deny: "– deny" };

/** Lists the tools of a mode with their rules, and the withheld tools with the reason. */
export async function listModeTools({ mode, model, cwd = ".", json = false }: ToolsOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const [result, colors] = await Promise.all([
      api.daemon.tools.query({
        cwd: path.resolve(cwd),
        ...omitUndefined({ mode, model }),
      }),
      fetchModeColors(api),
    ]);
    if (json) return printJson({ ...result, files: await api.tool.list.query({ cwd: path.resolve(cwd) }) });
    const style = terminalStyle(process.stdout, colors);
    const { ansi } = style;
    printLines([
      `${ansi.mode(result.mode)} offers`,
      ...result.offered.flatMap(({ name, group, effect, rule, only, freeInSandbox }) => {
        const start = `  ${fitToWidth(MARKS[effect], 8)} ${fitToWidth(name, 24)} ${fitToWidth(group ?? "", 12)} `;
        return hangingIndent(
          ansi.dim(
            `${only === null ? "" : `${oneLine(only)} · `}${freeInSandbox ? "outside of the sandbox · " : ""}${rule ? ruleWithSource(rule, style) : "no rule matches"}`,
          ),
          effect === "ask" ? start.replace("◆ ask", ansi.attention("◆ ask")) : start,
          contentWidth(style),
        );
      }),
      ...(result.withheld.length === 0 ? [] : ["", "not offered"]),
      ...[...Map.groupBy(result.withheld, ({ reason }) => oneLine(reason))].flatMap(([reason, withheld]) =>
        hangingIndent(`${ansi.dim(`${reason}:`)} ${withheld.map(({ name }) => name).join(", ")}`, "  – ", contentWidth(style)),
      ),
      ...(await scriptToolLines(api, path.resolve(cwd))),
    ]);
  });
}
