import type { Effect } from "@baton/core/protocol/rule";
import { Icon } from "../../components/icon.tsx";

/** The effect of a rule as an icon and a word. `above` is true in a ceiling, where `allow` does not change the verdict. */
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
