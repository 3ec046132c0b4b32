import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { toolArguments } from "../input-schema.ts";
import { actingTool, inputField } from "../tool-types.ts";
import { backgroundOutcome, unknownCommandOutcome } from "./background-command-text.ts";
import { escapeHidden } from "../result-text.ts";
import { screenOutcome } from "./screen-text.ts";

const MAX_WAIT_MS = 120_000;

export const commandOutput = actingTool({
  ...toolFields("command_output"),
  description: "Get the new output of a background command, or the screen of its terminal, and whether it is still running.",
  input: toolArguments({
    id: z.string().min(1),
    wait_ms: z.int().min(0).max(MAX_WAIT_MS).optional().describe("wait up to this long for it to end"),
  }),
  label: (input) => ({ verb: "look", object: escapeHidden(inputField(input, "id")) }),
  access: () => [{ action: "session", resource: "command_output" }],
  polls: true,
  run: async ({ id, wait_ms: waitMs = 0 }, { ports, cwd, sessionId, signal }) => {
    const seen = await ports.shell.screen(sessionId, id, { quietMs: waitMs, mostMs: waitMs, signal });
    if (seen) return screenOutcome(id, seen, cwd);
    const output = await ports.shell.output(sessionId, id, { waitMs, signal });
    return output ? backgroundOutcome(output, cwd) : unknownCommandOutcome(id, ports, sessionId);
  },
});
