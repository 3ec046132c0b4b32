import { useState } from "react";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import { Icon } from "../../components/icon.tsx";
import type { ModeDraft, FieldName } from "./draft.ts";
import { Choice, Field, type FieldProps } from "./field.tsx";
import { GroupChecks } from "./group-checks.tsx";
import type { FieldFault } from "./draft-diagnostics.ts";

type TextName = Exclude<FieldName, "groups" | "fileRegex" | "commandRegex">;
type Props = {
  draft: ModeDraft;
  /** It is only looked at. */
  fixed: boolean;
  isNew: boolean;
  faults: readonly FieldFault[];
  onDraft: (draft: ModeDraft, field: FieldName) => void;
};

/** Every field of a mode: what it is called, what it is told, which tools it has; what is seldom wanted is folded. */
export function ModeFields({ draft, fixed, isNew, faults, onDraft }: Props) {
  const [open, setOpen] = useState(false);
  const faultsAt = (field: FieldName) => faults.filter((fault) => fault.field === field);
  const text = (name: TextName) => ({
    name,
    value: draft[name],
    fixed,
    faults: faultsAt(name),
    onValue: (value: string) => onDraft({ ...draft, [name]: value }, name),
  });
  return (
    <>
      <Field {...text("name")} label="Name" />
      <Field
        {...text("slug")}
        label="Slug"
        mono
        fixed={fixed || !isNew}
        hint={isNew ? "By which it is chosen. It cannot change later." : undefined}
      />
      <Field {...text("description")} label="Description" rows={2} />
      <Field
        {...text("whenToUse")}
        label="When to use"
        rows={2}
        placeholder="as the description says"
        hint="Told to modes that hand out work."
      />
      <GroupChecks {...{ draft, fixed, onDraft, faultsAt }} />
      <ModelField {...text("model")} />
      <Field {...text("roleDefinition")} label="Role" rows={6} hint="Who the agent is in this mode; its prompt begins with it." />
      <Field {...text("customInstructions")} label="Instructions" rows={3} />
      <Field {...text("customRules")} label="Rules, one on each line" rows={2} />
      <details
        className="more"
        open={open || SELDOM.some((name) => faultsAt(name).length > 0)}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <Icon name="chevron-right" small className="chev" />
          More
        </summary>
        <Field {...text("icon")} label="Icon" mono hint={<IconHint name={draft.icon} />} />
        <Choice {...text("kind")} label="Who works in it" options={KINDS} />
        <Field {...text("allowedFilePaths")} label="Files it may touch at all, a pattern on each line" mono rows={2} />
        <Field {...text("disallowedFilePaths")} label="Files it may never touch, a pattern on each line" mono rows={2} />
        <Field {...text("subagents")} label="Modes it may hand work to, one on each line" mono rows={2} placeholder="all" />
        <Field {...text("switchTargets")} label="Modes it may switch to, one on each line" mono rows={2} placeholder="all" />
        <Field {...text("maxSteps")} label="Steps, then a person is asked" />
        <Field {...text("systemPrompt")} label="Last words of the prompt" rows={3} />
        <Field
          {...text("baseUrl")}
          label="Endpoint of the model"
          mono
          placeholder="as the provider says"
          hint="An address that speaks as OpenAI does."
        />
        <Field
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
        <Field
          {...text("permissions")}
          label="Permissions, as JSON"
          mono
          rows={2}
          hint={<code>{'[{ "action": "command", "resource": "npm test", "effect": "allow" }]'}</code>}
        />
        <Field {...text("experimentalFeatures")} label="Flags, as JSON" mono rows={2} hint={<code>{'{ "name": true }'}</code>} />
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

/** A model that the daemon knows, one of an endpoint of the user's own, or none: then the session's model is used. */
function ModelField(field: Omit<FieldProps, "label" | "suggestions" | "placeholder">) {
  const known = useObservableValue(useApp().lists.models);
  return <Field {...field} label="Model" mono placeholder="as the session" suggestions={known.map(({ id }) => id)} />;
}
