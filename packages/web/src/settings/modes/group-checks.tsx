import { groupOf, groups } from "@baton/core/mode/tool-groups";
import { oneLine } from "@baton/core/text/sanitize";
import { groupLimitsText } from "@baton/core/text/status-text";
import { limitIn, withGroup, withLimit, type ModeDraft, type FieldName, type GroupChoice } from "./draft.ts";
import { FaultsAt, Field } from "./field.tsx";
import type { FieldFault } from "./draft-diagnostics.ts";

type Props = {
  draft: ModeDraft;
  fixed: boolean;
  onDraft: (draft: ModeDraft, field: FieldName) => void;
  faultsAt: (field: FieldName) => FieldFault[];
};

/** The tool groups of a mode, and the limits for files and commands. */
export function GroupChecks({ draft, fixed, onDraft, faultsAt }: Props) {
  const has = (name: string) => draft.groups.some((group) => group.name === name && group.on);
  const sorted = draft.groups.toSorted((a, b) => placeOf(a) - placeOf(b));
  return (
    <>
      <fieldset className="f groups" data-field="groups">
        <legend>Tool groups</legend>
        {sorted.map(({ name, on, limits }) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={on}
              disabled={fixed}
              onChange={(event) => onDraft(withGroup(draft, name, event.target.checked), "groups")}
            />
            <span>{name}</span>
            <span className="dim">
              {groupOf(name).description} {restOf(name, limits)}
            </span>
          </label>
        ))}
        <FaultsAt faults={faultsAt("groups")} />
      </fieldset>
      {has("edit") ? (
        <Field
          name="fileRegex"
          label="Editable files (pattern)"
          mono
          fixed={fixed}
          value={limitIn(draft, "edit", "fileRegex")}
          placeholder="all files of the folder"
          hint={
            <>
              Matches anywhere in the path inside the folder: <code>^docs/</code>, <code>\.md$</code>
            </>
          }
          faults={faultsAt("fileRegex")}
          onValue={(text) => onDraft(withLimit(draft, "edit", "fileRegex", text), "fileRegex")}
        />
      ) : undefined}
      {has("command") ? (
        <Field
          name="commandRegex"
          label="Allowed commands (pattern)"
          mono
          fixed={fixed}
          value={limitIn(draft, "command", "commandRegex")}
          placeholder="all that the rules allow"
          faults={faultsAt("commandRegex")}
          onValue={(text) => onDraft(withLimit(draft, "command", "commandRegex", text), "commandRegex")}
        />
      ) : undefined}
    </>
  );
}

const placeOf = ({ name }: GroupChoice): number => groups.findIndex((group) => group.name === name);

/** Limits without a field in the form. They stay as they are. */
function restOf(name: GroupChoice["name"], limits: GroupChoice["limits"]): string {
  const { fileRegex, commandRegex, ...others } = limits;
  const shown = { ...(name === "edit" ? {} : { fileRegex }), ...(name === "command" ? {} : { commandRegex }), ...others };
  const texts = groupLimitsText({ name, ...shown });
  return texts.length === 0 ? "" : `Only: ${oneLine(texts.join(", "))}.`;
}
