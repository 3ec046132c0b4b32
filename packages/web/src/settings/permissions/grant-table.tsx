import type { Grant } from "@baton/core/protocol/rule";
import { ruleText } from "@baton/core/text/rule-text";
import { SCOPES, RevokeGrant } from "../../components/details/revoke-grant.tsx";
import { formatDay } from "../../components/text/format.ts";

/** What persons granted to this folder or to all, each to be taken back. */
export function GrantTable({ grants, revoke }: { grants: readonly Grant[]; revoke: (grant: Grant) => Promise<void> }) {
  if (grants.length === 0)
    return (
      <p className="dim says">
        Nothing. “This workspace” in an approval puts a rule here. What one session was granted is behind its “…”, What is allowed here.
      </p>
    );
  return (
    <table className="table granted">
      <thead>
        <tr>
          <th>rule</th>
          <th>holds in</th>
          <th>given</th>
          <th>
            <span className="vh">take back</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {grants.map((grant) => (
          <tr key={grant.id}>
            <td>
              <code>{ruleText(grant.rule)}</code>
            </td>
            <td>{SCOPES[grant.scope]}</td>
            <td className="nowrap">{formatDay(grant.givenAt)}</td>
            <td className="num">
              <RevokeGrant grant={grant} revoke={revoke} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
