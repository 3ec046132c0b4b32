import type { Mode } from "@baton/core/protocol/mode";
import { useModes } from "../../store/folder-context.ts";
import { oneLine } from "@baton/core/text/sanitize";
import { Icon } from "../icon.tsx";

/** The CSS class of a color is that of the built-in mode with this color. */
const CLASSES: Record<Mode["hue"], string> = {
  indigo: "m-architect",
  blue: "m-code",
  cyan: "m-ask",
  pink: "m-debug",
  violet: "m-orchestrator",
  olive: "m-coordinator",
  green: "m-build",
  teal: "m-plan",
  slate: "m-configuration",
};

export const colorClass = ({ hue }: Pick<Mode, "hue">): string => CLASSES[hue];

export function useModeStyle(slug: string): { icon: string; colorClassName: string; mode: Mode | undefined } {
  const mode = useModes().find((known) => known.slug === slug);
  return { icon: mode?.icon ?? "circle", colorClassName: mode ? colorClass(mode) : "", mode };
}

/** A mode's name with its icon and color. */
export function ModeName({ slug, small = true }: { slug: string; small?: boolean }) {
  const { icon, colorClassName } = useModeStyle(slug);
  return (
    <span className={`mode ${colorClassName}`}>
      <Icon name={icon} small={small} />
      {oneLine(slug)}
    </span>
  );
}

export function ModeIcon({ slug, small = false }: { slug: string; small?: boolean }) {
  const { icon, colorClassName } = useModeStyle(slug);
  return <Icon name={icon} small={small} className={colorClassName} />;
}
