import path from "node:path";
import { oneLine } from "@baton/core/text/sanitize";
import { column, hang, contentWidth } from "../../render/layout.ts";
import { placeOf } from "../../render/request/request.ts";
import { fetchModeColors, terminalStyle, printJson, printLines } from "../output.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

export type ToolsOptions = { mode?: string; model?: string; cwd?: string; json?: boolean };

const MARKS = { allow: "✓ allow", ask: "◆ ask", deny: "– deny" };

/** Lists the tools of a mode with their rules, and the withheld tools with the reason. */
export async function tools({ mode, model, cwd = ".", json = false }: ToolsOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const [said, hues] = await Promise.all([
      api.daemon.tools.query({
        cwd: path.resolve(cwd),
        ...(mode === undefined ? {} : { mode }),
        ...(model === undefined ? {} : { model }),
      }),
      fetchModeColors(api),
    ]);
    if (json) return printJson(said);
    const look = terminalStyle(process.stdout, hues);
    const { ink } = look;
    printLines([
      `${ink.mode(said.mode)} offers`,
      ...said.offered.flatMap(({ name, group, effect, rule }) => {
        const start = `  ${column(MARKS[effect], 8)} ${column(name, 24)} ${column(group ?? "", 12)} `;
        return hang(
          ink.dim(rule ? placeOf(rule, look) : "no rule covers it"),
          effect === "ask" ? start.replace("◆ ask", ink.attention("◆ ask")) : start,
          contentWidth(look),
        );
      }),
      ...(said.withheld.length === 0 ? [] : ["", "not offered"]),
      ...said.withheld.flatMap(({ name, group, reason }) =>
        hang(ink.dim(oneLine(reason)), `  ${column("–", 8)} ${column(name, 24)} ${column(group ?? "", 12)} `, contentWidth(look)),
      ),
    ]);
  });
}
