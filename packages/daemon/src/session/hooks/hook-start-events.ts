import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { HookEvent, HookRun } from "@baton/core/protocol/hook";
import type { SessionState } from "@baton/core/session/state";
import type { KnownHook } from "../../hook/hook-definition.ts";
import type { FoundHooks } from "../../hook/hooks.ts";

/** The occasion of a run. `holds`: the key of the effect that waits for it. */
export type HookOccasion = { event: HookEvent; about: string; holds?: string; details?: Record<string, unknown> };

/** More hooks than this never run at once. */
const MAX_AT_ONCE = 50;

/** The starts of all hooks that the user approved. A hook that runs once in a session is left out if it has run. */
export function hookStartEvents(
  { approved }: FoundHooks,
  occasion: HookOccasion,
  { hooksOnce }: Pick<SessionState, "hooksOnce">,
): SessionEvent[] {
  const wanted = approved.filter(({ definition, ref }) => !definition.once || !hooksOnce.includes(ref.hash));
  return withoutRepeats(wanted)
    .slice(0, MAX_AT_ONCE)
    .map((hook, i) => ({ type: "hook.started", run: toRun(hook, occasion, i) }));
}

/** The same command in several files runs once, if it means the same there. */
const withoutRepeats = (hooks: readonly KnownHook[]): KnownHook[] => {
  const keyOf = ({ definition }: KnownHook) => {
    const { launch, condition, async, onFailure, file } = definition;
    return JSON.stringify([launch, condition, async, onFailure, file.dialect, file.root]);
  };
  return hooks.filter((hook, i) => hooks.findIndex((other) => keyOf(other) === keyOf(hook)) === i);
};

function toRun({ definition, ref }: KnownHook, { event, about, holds, details }: HookOccasion, index: number): HookRun {
  return {
    id: `${event}.${about}.${index}`,
    event,
    about,
    ...(holds === undefined || definition.async ? {} : { holds }),
    ...(definition.async ? { async: true } : {}),
    ...(definition.once ? { once: true } : {}),
    hook: ref,
    ...omitUndefined({ details }),
  };
}
