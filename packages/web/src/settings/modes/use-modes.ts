import { useEffect, useState } from "react";
import type { Api } from "../../connection/connection-types.ts";
import { runDetached } from "@baton/core/client/run-detached";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";

export type ModeListResponse = Awaited<ReturnType<Api["mode"]["list"]["query"]>>;
/** A mode with its file and the modes that it overrides. */
export type ListedMode = ModeListResponse["modes"][number];
export type Diagnostic = ModeListResponse["diagnostics"][number];

/** The key of a mode among those of a folder. An inactive mode may have the slug of an active one. */
export const modeKey = ({ slug, inert }: Pick<ListedMode, "slug" | "inert">): string => (inert ? `${slug} ${inert}` : slug);

/** The modes of a folder with their files. Asks at each connection, and when the user comes back to the page. */
export function useModeList(cwd: string): {
  modeList: ModeListResponse | undefined;
  problem: string | undefined;
  load: () => Promise<void>;
} {
  const { link, lists } = useApp();
  const connected = useConnected();
  const [problem, setProblem] = useState<string>();
  const onError = (error: unknown) => setProblem(errorMessage(error));
  const list = async (signal: AbortSignal): Promise<ModeListResponse> => {
    const found = await link.api.mode.list.query({ cwd }, { signal });
    setProblem(undefined);
    return found;
  };
  const { data: modeList, refetch } = useQuery(connected ? list : undefined, [link, cwd], { onError });
  /** Also refreshes the modes that other parts of the page show. */
  const load = async () => void (await Promise.all([refetch(), lists.refresh().catch(onError)]));
  useEffect(() => {
    if (!connected) return undefined;
    const reload = () => runDetached(load(), onError);
    addEventListener("focus", reload); // the user may have changed files meanwhile
    return () => removeEventListener("focus", reload);
  }, [connected, cwd]);
  return { modeList, problem, load };
}
