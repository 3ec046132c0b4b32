import * as z from "zod";

/** How long the variables of a session may be together, as JSON in UTF-16 units. */
export const MAX_SHARED = 64_000;

/** What delegated tasks hand to each other by name, as JSON. */
export const SharedVariables = z.record(z.string().min(1).max(100), z.json());
export type SharedVariables = z.infer<typeof SharedVariables>;
