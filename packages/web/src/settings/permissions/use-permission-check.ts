import { useEffect, useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import type { Api } from "../../connection/connection.ts";
import type { CheckQuery } from "./check-query.ts";

export type PermissionCheckResult = Awaited<ReturnType<Api["permission"]["check"]["query"]>>[number];

/** So long nothing more has to be typed before it is asked. */
const PAUSE_MS = 150;

/**
 * What would happen, and to which question that is the answer. The answer before stays until the next one has come, so that nothing
 * flickers while one types. Asked again when `stamp` is another.
 */
export function usePermissionCheck(
  question: CheckQuery | undefined,
  stamp: unknown,
): { of: string; checked: PermissionCheckResult } | undefined {
  const { link, tell } = useApp();
  const connected = useConnected();
  const [known, setKnown] = useState<{ of: string; checked: PermissionCheckResult }>();
  const asked = question && JSON.stringify(question);
  useEffect(() => {
    if (!connected || !question || asked === undefined) return;
    const abort = new AbortController();
    const { signal } = abort;
    const ask = () =>
      void link.api.permission.check
        .query([question], { signal })
        .then(([checked]) => checked && setKnown({ of: asked, checked }))
        .catch((error: unknown) => (signal.aborted ? undefined : tell(error)));
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [link, connected, asked, stamp]);
  return asked === undefined ? undefined : known;
}
