import type { Mention } from "@baton/core/protocol/connection/webview-messages";
import { useMemo } from "react";
import { useApp } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";

type NamedCommand = { name: string; about: string };

/** The things that a prompt can mention besides files: slash commands, and resources of servers. */
type Mentionables = { commands: readonly NamedCommand[]; resources: readonly Mention[] };

/** Asks once the user types `@` or `/`, which may start servers. The daemon expands commands when the prompt is sent. */
export function useMentionables(cwd: string | undefined): Mentionables {
  const { api } = useApp().link;
  const ofFiles = useQuery(cwd === undefined ? undefined : (signal) => api.workspace.commands.query({ cwd }, { signal }), [cwd]).data;
  const ofServers = useQuery(cwd === undefined ? undefined : (signal) => api.mcp.named.query({ cwd }, { signal }), [cwd]).data;
  return useMemo(() => {
    const prompts = (ofServers?.prompts ?? []).map(toCommand);
    const commands = (ofFiles ?? []).map(toCommand).filter((command) => !prompts.some(({ name }) => name === command.name));
    return { commands: [...commands, ...prompts], resources: ofServers?.resources ?? [] };
  }, [ofFiles, ofServers]);
}

const toCommand = ({ name, description, argumentHint = "" }: { name: string; description: string; argumentHint?: string }) => ({
  name,
  about: [argumentHint, description].join(" ").trim(),
});
