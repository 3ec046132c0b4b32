import * as z from "zod";
import { authedProcedure, router } from "../trpc.ts";

/** Usage by day, session and model. */
export const usage = router({
  /** The usage of each day, session and model since a day. */
  since: authedProcedure
    .input(z.object({ day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "a day has the form 2026-01-31") }))
    .query(({ ctx, input: { day } }) => ctx.usage.since(day)),
  /** US dollars that all sessions together have spent since midnight in the daemon's time zone. */
  today: authedProcedure.query(({ ctx }) => ctx.usage.today()),
});
