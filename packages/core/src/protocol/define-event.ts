import * as z from "zod";

/** The schema of an event: its type, and the fields that it has besides. */
export const defineEvent = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...shape });
