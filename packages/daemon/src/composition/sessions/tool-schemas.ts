import * as z from "zod";
import type { OfferedTool } from "../../model/model-port.ts";
import type { Tool } from "../../tool/tool-types.ts";

/** The schema of each tool as models receive it, converted once per tool. Without terminals, `run_command` has no parameter for one. */
export function openToolSchemas(hasTerminals: () => boolean): (tool: Tool) => OfferedTool {
  const schemas = new WeakMap<Tool, OfferedTool>();
  return (tool) => {
    const schema = schemas.get(tool) ?? toOfferedTool(tool, hasTerminals());
    schemas.set(tool, schema);
    return schema;
  };
}

function toOfferedTool({ name, description, input, schema: serverSchema }: Tool, hasTerminals: boolean): OfferedTool {
  if (serverSchema) return { name, description, schema: serverSchema };
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return { name, description, schema: hasTerminals || name !== "run_command" ? schema : withoutTerminal(schema) };
}

/** The schema of `run_command` where commands cannot have a terminal. */
function withoutTerminal({ properties = {}, ...schema }: z.core.JSONSchema.BaseSchema): OfferedTool["schema"] {
  const { terminal: _, ...others } = properties;
  return { ...schema, properties: others };
}
