import { escapeInvisible } from "@baton/core/text/sanitize";
import type { ComponentProps, ReactNode } from "react";
import { useApp, useConnected, useObservableValue } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import { ModelInput, SuggestInput } from "../../components/suggest-input.tsx";
import { BrowserSettings } from "./appearance-fields.tsx";
import { ProviderKeyList } from "./provider-key-list.tsx";
import { settingFields, valueAt, type SettingField } from "./setting-fields.ts";
import { SettingRow } from "./setting-row.tsx";
import "./general.css";

/** The sections of the config by subject. A section that is in none of them comes last. */
const GROUPS: readonly { title: string; sections: readonly string[] }[] = [
  { title: "Model", sections: ["model", "smallModel", "fallbackModels"] },
  {
    title: "Work",
    sections: ["defaultMode", "coordination", "todoList", "autoAnswer", "compaction", "codebaseIndex", "embeddingModel", "repositoryMap"],
  },
  { title: "Limits", sections: ["limits"] },
  { title: "Commands and network", sections: ["sandbox", "network", "passEnv", "commands", "disabledTools"] },
  { title: "Checks after edits", sections: ["checks"] },
  { title: "Retries", sections: ["retries"] },
  { title: "Storage", sections: ["retention"] },
  { title: "Terminal", sections: ["terminal"] },
];

/** The settings of the user: the config, the keys of providers, and what this browser keeps. */
export function GeneralTab() {
  const { link, lists, appearance, tell } = useApp();
  const connected = useConnected();
  const status = useObservableValue(lists.status);
  const { data: form, refetch } = useQuery(connected ? (signal) => link.api.config.form.query(undefined, { signal }) : undefined, [link], {
    refetchOnFocus: true,
    onError: tell,
  });
  const changed = async () => {
    await Promise.all([refetch(), lists.refresh()]);
  };
  const named = new Set(GROUPS.flatMap(({ sections }) => sections));
  const groups = [...GROUPS, { title: "Other", sections: Object.keys(form?.schema ?? {}).filter((name) => !named.has(name)) }];
  return (
    <>
      <header>
        <h1>General</h1>
        <span className="dim">
          Saved in <code>{escapeInvisible(status?.config ?? "")}/config.jsonc</code>. Your text and comments there stay as they are.
        </span>
      </header>
      <Card title="Keys">
        <ProviderKeyList onChanged={changed} />
      </Card>
      {groups.map(({ title, sections }) => {
        const fields = form ? sections.flatMap((section) => settingFields(section, valueAt(form.schema, [section]))) : [];
        if (fields.length === 0) return undefined;
        return (
          <Card key={title} title={title}>
            {fields.map((field) => (
              <SettingRow
                key={field.setting.join(".")}
                field={withSandboxState(field, status?.noSandbox)}
                value={valueAt(form?.values, field.setting)}
                input={inputFor(field)}
                onSaved={changed}
              />
            ))}
          </Card>
        );
      })}
      {appearance ? (
        <Card title="This browser">
          <BrowserSettings appearance={appearance} />
        </Card>
      ) : undefined}
    </>
  );
}

const inputFor = ({ setting: [section, name] }: SettingField) => {
  if (section === "defaultMode") return ModeInput;
  return section === "model" || section === "smallModel" || name === "model" ? ModelInput : undefined;
};

/** The modes of the user; others can be typed. */
function ModeInput(props: ComponentProps<"input">) {
  const modes = useObservableValue(useApp().lists.modesIn(""));
  return <SuggestInput {...props} suggestions={modes.map(({ slug }) => slug)} />;
}

/** The field of the sandbox says if no sandbox works on this machine. */
const withSandboxState = (field: SettingField, noSandbox: string | undefined): SettingField =>
  field.setting[0] === "sandbox" && noSandbox !== undefined
    ? { ...field, hint: `${field.hint} It does not work on this machine: ${noSandbox}.` }
    : field;

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="card general" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);
