import { newCommandId } from "@baton/core/client/command-client";
import type { SessionState } from "@baton/core/session/state";
import type { SessionCommand } from "@baton/core/protocol/command";
import { useApp } from "../store/app-context.ts";
import { useModes } from "../store/folder-context.ts";
import type { ComposerCommand } from "../components/composer/use-completions.tsx";

type SessionActions = { state: SessionState; run: (what: SessionCommand) => void; help: () => void; inbox: () => void };

/** The slash commands of the page. */
export function useSlashCommands({ state, run, help, inbox }: SessionActions): ComposerCommand[] {
  const { route, tell } = useApp();
  const known = useModes().map(({ slug }) => slug);
  return [
    {
      name: "mode",
      about: "switch the mode: /mode plan",
      run: (mode) =>
        known.includes(mode)
          ? run({ type: "switchMode", mode })
          : tell(`${mode === "" ? "Which mode?" : `There is no mode “${mode}”.`} The modes are: ${known.join(", ")}.`),
    },
    {
      name: "coordinate",
      about: "ask the coordinator which mode fits: /coordinate reason",
      run: (reason) => run({ type: "coordinate", promptId: newCommandId(), ...(reason === "" ? {} : { reason: reason.slice(0, 2_000) }) }),
    },
    {
      name: "model",
      about: "choose the model: /model provider/model",
      run: (model) => (model === "" ? tell("Choose a model as provider/model.") : run({ type: "chooseModel", model })),
    },
    { name: "new", about: "start a new session here", run: () => route.go({ page: "new", cwd: state.workspace }) },
    {
      name: "rename",
      about: "rename this session: /rename Title",
      run: (title) => (title === "" ? tell("/rename needs a title.") : run({ type: "rename", title: title.slice(0, 200) })),
    },
    {
      name: "compact",
      about: "compact the conversation: /compact what to keep",
      run: (note) => run({ type: "compact", ...(note === "" ? {} : { note: note.slice(0, 2_000) }) }),
    },
    { name: "archive", about: "archive this session", run: () => run({ type: "archive", archived: true }) },
    { name: "inbox", about: "go to the next open request", run: inbox },
    { name: "resume", about: "send the prompts that a stop held back", run: () => run({ type: "resume" }) },
    { name: "help", about: "keys", run: help },
  ];
}
