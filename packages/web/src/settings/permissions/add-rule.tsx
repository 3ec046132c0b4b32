import { useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { RuleForm } from "./rule-form.tsx";

const FIRST = { action: "command", resource: "", effect: "ask" } as const;

/** Adds a rule to the config of the user. It comes after the others, so it wins over them. */
export function AddRule({ onAdded }: { onAdded: () => Promise<void> }) {
  const { link } = useApp();
  const connected = useConnected();
  const [open, setOpen] = useState(false);
  if (!open)
    return (
      <button type="button" className="btn small" disabled={!connected} onClick={() => setOpen(true)}>
        Add rule
      </button>
    );
  return (
    <RuleForm
      label="New rule"
      hint={
        <>
          <code>*</code> stands for any text. The rule goes to the end of your config, where you can change it and remove it.
        </>
      }
      rule={FIRST}
      isNew
      onSave={async (rule) => {
        await link.api.permission.add.mutate({ rule });
        await onAdded();
      }}
      onClose={() => setOpen(false)}
    />
  );
}
