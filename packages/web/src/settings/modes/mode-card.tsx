import { groupsOf } from "@baton/core/mode/tool-groups";
import type { Group } from "@baton/core/protocol/mode";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { groupLimitsText } from "@baton/core/text/tool-group-limits-text";
import { Icon } from "../../components/icon.tsx";
import { useCapabilities, type Capability } from "../../components/details/mode-capabilities.tsx";
import { colorClass } from "../../components/composer/mode-name.tsx";
import { shortFile, modeGist, isFaulty, nameBeside, modeBadges } from "./mode-labels.ts";
import { modeKey, type Diagnostic, type ListedMode } from "./use-modes.ts";

type Props = {
  mode: ListedMode;
  cwd: string;
  diagnostics: readonly Diagnostic[];
  chosen: boolean;
  /** Whether the session from which the user came is in this mode. */
  active: boolean;
  unsaved: boolean;
  onChoose: () => void;
  /** Switches that session to this mode; undefined if that is not possible. */
  onSwitch: (() => void) | undefined;
};

/** A card with the purpose, capabilities and source of a mode. */
export function ModeCard({ mode, cwd, diagnostics, chosen, active, unsaved, onChoose, onSwitch }: Props) {
  const faulty = isFaulty(mode, diagnostics);
  const beside = nameBeside(mode);
  const card = (
    <button
      type="button"
      className={`modecard ${colorClass(mode)}${faulty ? " broken" : ""}${mode.inert ? " inert" : ""}`}
      data-mode={modeKey(mode)}
      aria-pressed={chosen}
      onClick={onChoose}
    >
      <span className="row wrap">
        <span className={`mode ${colorClass(mode)}`}>
          <Icon name={faulty ? "warning" : mode.icon} className={faulty ? "fail-ink" : ""} />
          {oneLine(mode.slug)}
        </span>
        {beside === undefined ? undefined : <span className="soft cut">{beside}</span>}
        <span className="tags">
          {active ? <span className="tag">active</span> : undefined}
          {unsaved ? <span className="tag">not saved</span> : undefined}
          <ModeBadges mode={mode} diagnostics={diagnostics} />
        </span>
      </span>
      <span className="about">
        <span className="gist">{modeGist(mode)}</span>
        {mode.filePath === undefined ? undefined : (
          <span className="mono dim cut" title={escapeInvisible(mode.filePath)}>
            {escapeInvisible(shortFile(cwd, mode.filePath))}
          </span>
        )}
        <CardMay mode={mode} cwd={cwd} />
      </span>
    </button>
  );
  if (onSwitch === undefined) return card;
  return (
    <div className="switchable">
      {card}
      <button type="button" className="btn small" aria-label={`Switch the session to ${mode.slug}`} onClick={onSwitch}>
        Switch
      </button>
    </div>
  );
}

const NO_GRANTS: readonly never[] = [];
const ACTING: ReadonlySet<string> = new Set(["read", "edit", "command", "browser", "mcp"]);

/** The capabilities of a mode. An inactive mode shows the groups in its file. */
function CardMay({ mode, cwd }: Pick<Props, "mode" | "cwd">) {
  const known = useCapabilities(mode.inert ? "" : mode.slug, cwd, NO_GRANTS);
  const groupNames: ReadonlySet<string> = new Set(groupsOf(mode));
  const may = mode.inert ? mode.groups.map(saidBy) : known.filter(({ group }) => ACTING.has(group) || groupNames.has(group));
  return (
    <span className="may line">
      {may.map(({ group, may: verdict }) => (
        <span key={group} className={verdict === "no" ? "each no" : "each"}>
          <span className={`pip ${verdict}`} />
          {verdict === "no" ? <span className="vh">not </span> : undefined}
          {group}
          {verdict === "asks" ? <span className="vh"> asks</span> : undefined}
          <Limit group={mode.groups.find((each) => typeof each !== "string" && each.name === group)} />
        </span>
      ))}
    </span>
  );
}

function Limit({ group }: { group: Group | undefined }) {
  if (group === undefined || typeof group === "string") return undefined;
  const { tools: _, ...limits } = group; // too long to show
  const text = group.description ? oneLine(group.description) : groupLimitsText(limits).join(", ");
  return text === "" ? undefined : <span className="dim cut">{text}</span>;
}

const saidBy = (group: Group): Capability => ({ group: typeof group === "string" ? group : group.name, may: "asks", about: "" });

/** Badges of a mode: its source, overrides and errors. */
export const ModeBadges = ({ mode, diagnostics }: { mode: ListedMode; diagnostics: readonly Diagnostic[] }) =>
  modeBadges(mode, diagnostics).map(({ text, fail }) => (
    <span key={text} className={fail ? "tag fail" : "tag"}>
      {text}
    </span>
  ));
