import type { Mention } from "@baton/core/protocol/webview-messages";
import { useEffect, useState } from "react";
import { useApp } from "../../store/app-context.ts";

type NamedCommand = { name: string; about: string };

/** What can be named in a prompt besides files: slash commands of files and of servers, resources of servers. */
type Named = { commands: readonly NamedCommand[]; resources: readonly Mention[] };

const nothing: Named = { commands: [], resources: [] };

/**
 * Looks for it once a folder is named, which may start servers. Commands are sent as they are: the daemon fills them in.
 */
export function useMentionables(cwd: string | undefined): Named {
  const { link } = useApp();
  const [known, setKnown] = useState<Named>(nothing);
  useEffect(() => {
    if (cwd === undefined) return;
    const abort = new AbortController();
    const { signal } = abort;
    const learn = (more: Named) =>
      signal.aborted
        ? undefined
        : setKnown(({ commands, resources }) => ({
            commands: [...commands.filter((old) => !more.commands.some(({ name }) => name === old.name)), ...more.commands],
            resources: more.resources.length > 0 ? more.resources : resources,
          }));
    link.api.workspace.commands
      .query({ cwd }, { signal })
      .then((files) => learn({ commands: files.map(commandOf), resources: [] }))
      .catch(() => undefined); // a draft without completion is still a draft
    link.api.mcp.named
      .query({ cwd }, { signal })
      .then(({ prompts, resources }) => learn({ commands: prompts.map(commandOf), resources }))
      .catch(() => undefined);
    return () => abort.abort();
  }, [cwd]);
  return known;
}

const commandOf = ({ name, description, argumentHint = "" }: { name: string; description: string; argumentHint?: string }) => ({
  name,
  about: [argumentHint, description].join(" ").trim(),
});
