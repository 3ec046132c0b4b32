import * as z from "zod";

/** The JSON Schema of an input. A type that JSON does not have becomes `any`. */
export const toJsonSchema = (schema: z.ZodType): z.core.JSONSchema.JSONSchema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
