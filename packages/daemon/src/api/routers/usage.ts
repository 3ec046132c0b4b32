import * as z from "zod";
import { authedProcedure, router } from "../trpc.ts";

/** What was used, by day, session and model. */
export const usage = router({
  since: authedProcedure
    .input(z.object({ day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "a day is written as 2026-01-31") }))
    .query(({ ctx, input: { day } }) => ctx.usage.since(day)),
  /** US dollars that all sessions together have spent since midnight, where the daemon is. */
  today: authedProcedure.query(({ ctx }) => ctx.usage.today()),
});
