import type { Grant } from "@baton/core/protocol/rule";
import { ruleText } from "@baton/core/text/rule-text";
import { useApp, useConnected } from "../../store/app-context.ts";

/** Where a grant applies. */
export const GRANT_SCOPES: Readonly<Record<Grant["scope"], string>> = {
  session: "this session",
  workspace: "this workspace",
  user: "every workspace",
};

/** A button that revokes a grant. */
export function RevokeGrant({ grant, revoke }: { grant: Grant; revoke: (grant: Grant) => Promise<void> }) {
  const { tell } = useApp();
  const connected = useConnected();
  return (
    <button
      type="button"
      className="btn small r"
      aria-label={`Revoke ${ruleText(grant.rule)}`}
      disabled={!connected}
      onClick={() => void revoke(grant).catch(tell)}
    >
      Revoke
    </button>
  );
}
