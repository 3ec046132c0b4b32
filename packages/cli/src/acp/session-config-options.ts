import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { SessionState } from "@baton/core/session/state";
import type { Api } from "../connection/daemon-connection.ts";

/** The options that the user can choose in a session, in both forms that the protocol has for it. */
export type SessionOptions = { modes: SessionModeState; configOptions: SessionConfigOption[] };

/** The choice if models are known but none is chosen. */
const NONE = { id: "", name: "No model" };

/** Modes that an agent enters and leaves itself. The user reaches the coordinator with `/coordinate`. */
const ENTERED_FROM_OTHERS: ReadonlySet<string> = new Set(["coordinator", "configuration"]);

/** The modes and models that the user can choose, with the current ones. */
export async function sessionOptions(
  api: Api,
  { workspace, mode, model }: Pick<SessionState, "workspace" | "mode" | "model">,
): Promise<SessionOptions> {
  const [all, known, current] = await Promise.all([
    api.daemon.modes.query({ cwd: workspace }),
    api.daemon.models.query(),
    api.daemon.model.query(model === undefined ? {} : { model }),
  ]);
  const modes = all
    .filter(({ slug, kind, hidden }) => slug === mode || (kind !== "subagent" && hidden !== true && !ENTERED_FROM_OTHERS.has(slug)))
    .map(({ slug, name, description }) => ({ id: slug, name, description }));
  const now = model ?? current.id ?? undefined;
  const models = known.some(({ id }) => id === now) ? known : [now === undefined ? NONE : { id: now }, ...known];
  return {
    modes: { currentModeId: mode, availableModes: modes },
    configOptions: [
      {
        type: "select",
        id: "mode",
        name: "Mode",
        category: "mode",
        currentValue: mode,
        options: modes.map(({ id, name, description }) => ({ value: id, name, description })),
      },
      ...(known.length === 0 && now === undefined
        ? []
        : [
            {
              type: "select" as const,
              id: "model",
              name: "Model",
              category: "model",
              currentValue: now ?? NONE.id,
              options: models.map(({ id, ...facts }) => ({ value: id, name: ("name" in facts ? facts.name : undefined) ?? id })),
            },
          ]),
    ],
  };
}
