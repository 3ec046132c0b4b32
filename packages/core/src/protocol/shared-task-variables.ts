import * as z from "zod";

/** The maximum length of a session's variables as JSON, in UTF-16 units. */
export const MAX_SHARED_VARIABLES_LENGTH = 64_000;

/** Values that delegated tasks hand over to each other by name, as JSON. */
export const SharedTaskVariables = z.record(z.string().min(1).max(100), z.json());
export type SharedTaskVariables = z.infer<typeof SharedTaskVariables>;
