import type { Effect } from "@baton/core/protocol/rule";
import { Icon } from "../../components/icon.tsx";

/** What a rule does, as a sign and a word. `above`: it stands in a list that only makes answers stricter, so an allow leaves them as they are. */
export function EffectBadge({ effect, above = false }: { effect: Effect; above?: boolean }) {
  return (
    <span className={`eff ${effect}`}>
      <Sign effect={effect} above={above} />
      {above && effect === "allow" ? "leave" : effect}
    </span>
  );
}

export function Sign({ effect, above = false }: { effect: Effect; above?: boolean }) {
  switch (effect) {
    case "allow":
      return <span className={above ? "pip no" : "pip yes"} />;
    case "ask":
      return <span className="pip asks" />;
    case "deny":
      return <Icon name={above ? "lock" : "circle-slash"} small />;
  }
}
