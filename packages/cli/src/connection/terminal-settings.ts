import { keyBindings, type KeyBindings } from "@baton/core/terminal/key-bindings";
import type { Api } from "./daemon-connection.ts";

/** The user's settings of the terminal client. */
export type TerminalSettings = NonNullable<Awaited<ReturnType<Api["config"]["form"]["query"]>>["values"]["terminal"]>;

export const fetchTerminalSettings = async (api: Api): Promise<TerminalSettings> => (await api.config.form.query()).values.terminal ?? {};

export const fetchKeyBindings = async (api: Api): Promise<KeyBindings> => keyBindings((await fetchTerminalSettings(api)).keys);
