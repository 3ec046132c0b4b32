import type { Mode } from "@baton/core/protocol/mode";
import { createContext, useContext } from "react";
import { useApp, useObservableValue } from "./app-context.ts";
import { useQuery } from "./data/use-query.ts";

/** The folder of the drawn content, because a folder may have its own modes. */
export const FolderContext = createContext("");

/** The modes of that folder. */
export function useModes(): readonly Mode[] {
  return useObservableValue(useApp().lists.modesIn(useContext(FolderContext)));
}

export type Trust = "trusted" | "restricted" | "unknown";

/** Whether a folder is trusted. Asks again when `stamp` changes, and after `setTrusted`. Undefined until it is known. */
export function useTrust(folder: string, stamp: boolean): { trust: Trust | undefined; setTrusted: (trusted: boolean) => Promise<void> } {
  const { link, commands, lists } = useApp();
  const { data, refetch } = useQuery((signal) => link.api.workspace.status.query({ cwd: folder }, { signal }), [link, folder, stamp]);
  const setTrusted = async (trusted: boolean) => {
    await commands.trust(folder, trusted);
    await Promise.all([refetch(), lists.refresh()]); // trust decides whether the modes of the folder count
  };
  const trust = data?.trust;
  return { trust, setTrusted };
}

/** The tools whose environment commands get in a folder, such as `venv`. Asks again when `stamp` changes. */
export function useEnvironment(folder: string, stamp: number): readonly string[] {
  const { link } = useApp();
  const { data } = useQuery((signal) => link.api.workspace.environment.query({ cwd: folder }, { signal }), [link, folder, stamp]);
  return data?.tools.flatMap(({ tool, status }) => (status === "used" ? tool : [])) ?? [];
}
