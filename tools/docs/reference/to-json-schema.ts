import * as z from "zod";

/** Schemas with the name that stands for them where they are part of others. */
export type SchemaNames = z.core.$ZodRegistry<{ id: string }>;

/** The JSON Schema of an input. A type that JSON does not have becomes `any`. */
export const toJsonSchema = (schema: z.ZodType, names?: SchemaNames): z.core.JSONSchema.JSONSchema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any", ...(names ? { metadata: names } : {}) });
