import type { GroupName } from "@baton/core/protocol/mode";
import { CapabilityList, type Capability } from "./mode-capabilities.tsx";
import { ModeName, useModeStyle } from "../composer/mode-name.tsx";

type Props = { mode: string; may: readonly Capability[] };

/** The capabilities below the title, if there is no details panel. */
export function CapabilityStrip({ mode, may }: Props) {
  const { colorClassName } = useModeStyle(mode);
  return (
    <div className={`strip only-norail wide-only ${colorClassName}`} role="group" aria-label="The mode" tabIndex={0}>
      <span className={`mode ${colorClassName}`}>
        <ModeName slug={mode} /> may
      </span>
      <CapabilityList mode={mode} may={may} line />
    </div>
  );
}

/** The capabilities above the prompt on a narrow screen. Missing groups are listed only if they act on the machine. */
export const CapabilityLine = ({ mode, may }: Props) => (
  <div className="mayline narrow-only" role="group" aria-label="The mode" tabIndex={0}>
    <CapabilityList mode={mode} may={may.filter(({ group, may: verdict }) => verdict !== "no" || ACTING.has(group))} line />
  </div>
);

const ACTING: ReadonlySet<string> = new Set<GroupName>(["read", "edit", "command", "browser", "mcp"]);
