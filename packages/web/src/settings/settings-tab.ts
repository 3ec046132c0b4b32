import type { ComponentType } from "react";

/** A part of the settings. It is drawn anew for another folder; `session` is the one that it is wanted for, if it is. */
export type SettingsTabProps = { cwd: string; session: string | undefined };
export type SettingsTab = { name: string; title: string; Part: ComponentType<SettingsTabProps> };
