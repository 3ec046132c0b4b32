import { expect, test } from "vitest";
import { builtinTools } from "../../tool/builtin-tools.ts";
import { openToolSchemas } from "./tool-schemas.ts";

const without = <T extends object>(record: T, name: string): object =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

test("without terminals, models do not get the parameter of run_command for one, and everything else stays", () => {
  const [usual, bare] = [openToolSchemas(() => true), openToolSchemas(() => false)];
  for (const tool of builtinTools) {
    const { schema, ...rest } = usual(tool);
    const properties = schema["properties"] as object;
    expect(bare(tool)).toEqual({
      ...rest,
      schema: { ...schema, properties: tool.name === "run_command" ? without(properties, "terminal") : properties },
    });
    expect("terminal" in properties).toBe(tool.name === "run_command");
  }
});
