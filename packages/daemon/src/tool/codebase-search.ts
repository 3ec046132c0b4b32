import * as z from "zod";
import { toolArguments } from "./arguments.ts";
import { actingTool, failed, field } from "./define.ts";
import { shown } from "./shown.ts";

/** There only where an index of the workspace is; see `situation.ts`. */
export const codebaseSearch = actingTool({
  name: "codebase_search",
  group: "read",
  action: "read",
  description: "Find code by meaning.",
  input: toolArguments({ query: z.string().trim().min(1), path: z.string().min(1).optional() }),
  label: (input) => ({ verb: "search", object: shown(field(input, "query")) }),
  access: ({ path = "." }) => [{ action: "read", resource: path }],
  replay: "safe",
  run: async () => failed("There is no index of this workspace. Use search_text or glob."),
});
