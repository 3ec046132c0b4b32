import * as z from "zod";
import { configSections } from "./config-schema.ts";

/** What may stand in config.jsonc, as a JSON Schema for editors. */
export const configJsonSchema = () => ({
  title: "Settings of Baton",
  ...z.toJSONSchema(z.strictObject({ $schema: z.string(), ...configSections }).partial(), { io: "input" }),
});
