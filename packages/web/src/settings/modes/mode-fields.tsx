import { useState } from "react";
import { Icon } from "../../components/icon.tsx";
import type { ModeDraft, FieldName } from "./mode-draft.ts";
import { Choice, TextField } from "./form-controls.tsx";
import { GroupChecks } from "./group-checks.tsx";
import type { FieldDiagnostic } from "./draft-diagnostics.ts";

type TextName = Exclude<FieldName, "groups" | "fileRegex" | "commandRegex">;
type Props = {
  draft: ModeDraft;
  /** Whether the fields are read-only. */
  fixed: boolean;
  isNew: boolean;
  diagnostics: readonly FieldDiagnostic[];
  onDraft: (draft: ModeDraft, field: FieldName) => void;
};

/** All fields of a mode. Rarely used ones are collapsed. */
export function ModeFields({ draft, fixed, isNew, diagnostics, onDraft }: Props) {
  const [open, setOpen] = useState(false);
  const diagnosticsAt = (field: FieldName) => diagnostics.filter((diagnostic) => diagnostic.field === field);
  const text = (name: TextName) => ({
    name,
    value: draft[name],
    fixed,
    diagnostics: diagnosticsAt(name),
    onValue: (value: string) => onDraft({ ...draft, [name]: value }, name),
  });
  return (
    <>
      <TextField {...text("name")} label="Name" />
      <TextField
        {...text("slug")}
        label="Slug"
        mono
        fixed={fixed || !isNew}
        hint={isNew ? "The name in commands. It cannot change later." : undefined}
      />
      <TextField {...text("description")} label="Description" rows={2} />
      <TextField
        {...text("whenToUse")}
        label="When to use"
        rows={2}
        placeholder="same as the description"
        hint="Shown to modes that delegate work."
      />
      <GroupChecks {...{ draft, fixed, onDraft, diagnosticsAt }} />
      <TextField {...text("model")} label="Model" mono isModel placeholder="same as the session" />
      <TextField
        {...text("roleDefinition")}
        label="Role"
        rows={6}
        hint="Describes the agent in this mode. The system prompt begins with it."
      />
      <TextField {...text("customInstructions")} label="Instructions" rows={3} />
      <TextField {...text("customRules")} label="Rules, one per line" rows={2} />
      <details
        className="more"
        open={open || SELDOM.some((name) => diagnosticsAt(name).length > 0)}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <Icon name="chevron-right" small className="chev" />
          More
        </summary>
        <TextField {...text("icon")} label="Icon" mono hint={<IconHint name={draft.icon} />} />
        <Choice {...text("kind")} label="Used by" options={KINDS} />
        <TextField {...text("allowedFilePaths")} label="Accessible files, one pattern per line" mono rows={2} />
        <TextField {...text("disallowedFilePaths")} label="Inaccessible files, one pattern per line" mono rows={2} />
        <TextField {...text("subagents")} label="Modes it may delegate to, one per line" mono rows={2} placeholder="all" />
        <TextField {...text("switchTargets")} label="Modes it may switch to, one per line" mono rows={2} placeholder="all" />
        <TextField {...text("maxSteps")} label="Steps before it asks" />
        <TextField {...text("systemPrompt")} label="End of the system prompt" rows={3} />
        <TextField
          {...text("baseUrl")}
          label="Model endpoint"
          mono
          placeholder="the provider's address"
          hint="An OpenAI-compatible address."
        />
        <TextField
          {...text("variables")}
          label="Variables, as JSON"
          mono
          rows={2}
          hint={
            <>
              Values for <code>{"{{name}}"}</code> in its texts: <code>{'{ "team": "core" }'}</code>
            </>
          }
        />
        <TextField
          {...text("permissions")}
          label="Permissions, as JSON"
          mono
          rows={2}
          hint={<code>{'[{ "action": "command", "resource": "npm test", "effect": "allow" }]'}</code>}
        />
        <TextField {...text("experimentalFeatures")} label="Flags, as JSON" mono rows={2} hint={<code>{'{ "name": true }'}</code>} />
      </details>
    </>
  );
}

const SELDOM: readonly FieldName[] = [
  "icon",
  "kind",
  "allowedFilePaths",
  "disallowedFilePaths",
  "subagents",
  "switchTargets",
  "maxSteps",
  "systemPrompt",
  "baseUrl",
  "variables",
  "permissions",
  "experimentalFeatures",
];

const KINDS = [
  { value: "", text: "you and subtasks" },
  { value: "primary", text: "you" },
  { value: "subagent", text: "subtasks only" },
];

const IconHint = ({ name }: { name: string }) => (
  <>
    A codicon, such as <code>book</code>. {name === "" ? "" : <Icon name={name} small />}
  </>
);
