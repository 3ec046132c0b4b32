import { omitUndefined } from "@baton/core/text/omit-undefined";
import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { toolArguments } from "../input-schema.ts";
import { actingTool, inputField } from "../tool-types.ts";
import { backgroundOutcome, unknownCommandOutcome } from "./background-command-text.ts";
import { escapeHidden } from "../result-text.ts";
import { screenOutcome } from "./screen-text.ts";

export const stopCommand = actingTool({
  ...toolFields("stop_command"),
  description: "End a background command and its child processes.",
  input: toolArguments({ id: z.string().min(1) }),
  label: (input) => ({ verb: "stop", object: escapeHidden(inputField(input, "id")) }),
  access: () => [{ action: "session", resource: "stop_command" }],
  run: async ({ id }, { ports, cwd, sessionId, signal }) => {
    const output = await ports.shell.stop(sessionId, id);
    const seen = output && (await ports.shell.screen(sessionId, id, { quietMs: 0, mostMs: 0, signal }));
    if (seen) return screenOutcome(id, { ...seen, ...omitUndefined({ network: output.network }) }, cwd);
    return output ? backgroundOutcome(output, cwd) : unknownCommandOutcome(id, ports, sessionId);
  },
});
