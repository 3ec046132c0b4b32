import { ModesTab } from "./modes/modes-part.tsx";
import type { SettingsTab } from "./settings-tab.ts";
import { PermissionsTab } from "./permissions/permissions-part.tsx";
import { ToolsetsTab } from "./toolsets/toolsets-part.tsx";
import { UsageTab } from "./usage/usage-part.tsx";

/** In the order of the tabs. The name stands in the address. */
export const settingsTabs: readonly SettingsTab[] = [
  { name: "modes", title: "Modes", Part: ModesTab },
  { name: "permissions", title: "Permissions", Part: PermissionsTab },
  { name: "toolsets", title: "Toolsets", Part: ToolsetsTab },
  { name: "usage", title: "Usage", Part: UsageTab },
];
