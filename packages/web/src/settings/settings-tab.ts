import type { ComponentType } from "react";

/** A tab of the settings for one folder. `session` is the session from which the user came. */
export type SettingsTabProps = { cwd: string; session: string | undefined };
/** `everywhere`: the tab does not depend on a folder. */
export type SettingsTab = { name: string; title: string; Part: ComponentType<SettingsTabProps>; everywhere?: boolean };
