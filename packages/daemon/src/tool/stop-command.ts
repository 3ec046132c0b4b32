import * as z from "zod";
import { toolArguments } from "./arguments.ts";
import { actingTool, field } from "./define.ts";
import { lookedAt, unknownProcess } from "./process.ts";
import { shown } from "./shown.ts";

export const stopCommand = actingTool({
  name: "stop_command",
  group: "command",
  action: "command",
  description: "End a background command and all that it started.",
  input: toolArguments({ id: z.string().min(1) }),
  label: (input) => ({ verb: "stop", object: shown(field(input, "id")) }),
  access: () => [{ action: "session", resource: "stop_command" }],
  run: async ({ id }, { ports, sessionId }) => {
    const output = await ports.shell.stop(sessionId, id);
    return output ? lookedAt(output) : unknownProcess(id, ports, sessionId);
  },
});
