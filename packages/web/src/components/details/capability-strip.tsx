import type { GroupName } from "@baton/core/protocol/mode";
import { CapabilityList, type Capability } from "./capabilities.tsx";
import { ModeName, useModeLook } from "../composer/mode-name.tsx";

type Props = { mode: string; may: readonly Capability[] };

/** Below the title where there is no rail. */
export function CapabilityStrip({ mode, may }: Props) {
  const { hue } = useModeLook(mode);
  return (
    <div className={`strip only-norail wide-only ${hue}`} role="group" aria-label="The mode" tabIndex={0}>
      <span className={`mode ${hue}`}>
        <ModeName slug={mode} /> may
      </span>
      <CapabilityList mode={mode} may={may} line />
    </div>
  );
}

/** Above the prompt where there is no room for a strip. What a mode lacks is told of what acts on the machine only. */
export const CapabilityLine = ({ mode, may }: Props) => (
  <div className="mayline narrow-only" role="group" aria-label="The mode" tabIndex={0}>
    <CapabilityList mode={mode} may={may.filter(({ group, may: verdict }) => verdict !== "no" || ACTING.has(group))} line />
  </div>
);

const ACTING: ReadonlySet<string> = new Set<GroupName>(["read", "edit", "command", "browser", "mcp"]);
