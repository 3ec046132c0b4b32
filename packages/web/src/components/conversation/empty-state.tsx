import { oneLine } from "@baton/core/text/sanitize";
import type { ReactNode } from "react";
import { KeyCap } from "../icon.tsx";
import { CapabilityList, type Capability } from "../details/mode-capabilities.tsx";
import { ModeName, useModeStyle } from "../composer/mode-name.tsx";

/** An empty conversation: the purpose of the mode, what it may do, and how to type a prompt. */
export function EmptyState({ mode, may, children }: { mode: string; may: readonly Capability[]; children?: ReactNode }) {
  const { mode: known } = useModeStyle(mode);
  return (
    <div className="nothing-yet">
      <h2>What should Baton work on?</h2>
      <p>
        <ModeName slug={mode} small={false} /> {oneLine(known?.description ?? "")}
      </p>
      <CapabilityList mode={mode} may={may} />
      {children}
      <p className="dim hints">
        <span>
          <KeyCap>@</KeyCap> file
        </span>
        <span>
          <KeyCap>/</KeyCap> command
        </span>
        <span>
          <KeyCap>⇧⇥</KeyCap> next mode
        </span>
      </p>
    </div>
  );
}
