import { groupOf, toolGroups } from "@baton/core/mode/tool-groups";
import { oneLine } from "@baton/core/text/sanitize";
import { groupLimitsText } from "@baton/core/text/tool-group-limits-text";
import { limitIn, withGroup, withLimit, type ModeDraft, type FieldName, type GroupChoice } from "./mode-draft.ts";
import { FieldDiagnostics, TextField } from "./form-controls.tsx";
import type { FieldDiagnostic } from "./draft-diagnostics.ts";

type Props = {
  draft: ModeDraft;
  fixed: boolean;
  onDraft: (draft: ModeDraft, field: FieldName) => void;
  diagnosticsAt: (field: FieldName) => FieldDiagnostic[];
};

/** The tool groups of a mode, and the limits for files and commands. */
export function GroupChecks({ draft, fixed, onDraft, diagnosticsAt }: Props) {
  const has = (name: string) => draft.groups.some((group) => group.name === name && group.on);
  const sorted = draft.groups.toSorted((a, b) => groupPosition(a) - groupPosition(b));
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
              {groupOf(name).description} {otherLimits(name, limits)}
            </span>
          </label>
        ))}
        <FieldDiagnostics diagnostics={diagnosticsAt("groups")} />
      </fieldset>
      {has("edit") ? (
        <TextField
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
          diagnostics={diagnosticsAt("fileRegex")}
          onValue={(text) => onDraft(withLimit(draft, "edit", "fileRegex", text), "fileRegex")}
        />
      ) : undefined}
      {has("command") ? (
        <TextField
          name="commandRegex"
          label="Allowed commands (pattern)"
          mono
          fixed={fixed}
          value={limitIn(draft, "command", "commandRegex")}
          placeholder="all that the rules allow"
          diagnostics={diagnosticsAt("commandRegex")}
          onValue={(text) => onDraft(withLimit(draft, "command", "commandRegex", text), "commandRegex")}
        />
      ) : undefined}
    </>
  );
}

const groupPosition = ({ name }: GroupChoice): number => toolGroups.findIndex((group) => group.name === name);

/** Limits without a field in the form. They stay as they are. */
function otherLimits(name: GroupChoice["name"], limits: GroupChoice["limits"]): string {
  const { fileRegex, commandRegex, ...others } = limits;
  const visible = { ...(name === "edit" ? {} : { fileRegex }), ...(name === "command" ? {} : { commandRegex }), ...others };
  const texts = groupLimitsText({ name, ...visible });
  return texts.length === 0 ? "" : `Only: ${oneLine(texts.join(", "))}.`;
}
