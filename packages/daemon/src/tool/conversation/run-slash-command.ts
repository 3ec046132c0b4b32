import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";
import { escapeHidden } from "../result-text.ts";

/** Only available with the experiment `runSlashCommand`, see `tool-availability.ts`. */
export const runSlashCommand = actingTool({
  ...toolFields("run_slash_command"),
  description: "Get the text of a slash command of the user, with arguments, and follow it.",
  input: toolArguments({ command: z.string().min(1).describe("its name without the slash"), args: z.string().optional() }),
  label: (input) => ({ verb: "command", object: escapeHidden(`/${inputField(input, "command")} ${inputField(input, "args")}`.trim()) }),
  access: ({ command }) => [{ action: "run_slash_command", resource: command }],
  run: async ({ command, args = "" }, { ports }) => {
    const text = await ports.library.command(command.replace(/^\//, ""), args);
    return text === undefined
      ? failed(`There is no slash command "${command.slice(0, 100)}". Continue without it.`)
      : ok(text, { end: `/${command}` });
  },
});
