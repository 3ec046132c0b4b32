import { ModesPart } from "./modes/modes-part.tsx";
import type { Part } from "./settings-tab.ts";
import { PermissionsPart } from "./permissions/permissions-part.tsx";
import { ToolsetsPart } from "./toolsets/toolsets-part.tsx";
import { UsagePart } from "./usage/usage-part.tsx";

/** In the order of the tabs. The name stands in the address. */
export const parts: readonly Part[] = [
  { name: "modes", title: "Modes", Part: ModesPart },
  { name: "permissions", title: "Permissions", Part: PermissionsPart },
  { name: "toolsets", title: "Toolsets", Part: ToolsetsPart },
  { name: "usage", title: "Usage", Part: UsagePart },
];
