import * as z from "zod";
import { parts } from "./config-schema.ts";

/** What may stand in config.jsonc, as a JSON Schema for editors. */
export const configSchema = () => ({
  title: "Settings of Baton",
  ...z.toJSONSchema(z.strictObject({ $schema: z.string(), ...parts }).partial(), { io: "input" }),
});
