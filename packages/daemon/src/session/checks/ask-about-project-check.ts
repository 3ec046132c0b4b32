import type { AccessVerdict, Layer, SourcedRule, Verdict } from "@baton/core/protocol/rule";

/** The layers of rules that the user wrote or granted. */
const OF_USER: ReadonlySet<Layer> = new Set(["user", "workspace", "session"]);

/** The verdict of a check that a project names. Only a rule of the user allows its commands. Everything else asks. */
export function askAboutProjectCheck(verdict: Verdict): Verdict {
  if (verdict.effect !== "allow") return verdict;
  const isOpen = ({ action, rule }: AccessVerdict) => action === "command" && !(rule && OF_USER.has(rule.layer));
  const open = verdict.accesses.find(isOpen);
  if (!open && verdict.accesses.length > 0) return verdict;
  const ruleFor = (resource: string): SourcedRule => ({
    action: "command",
    resource,
    effect: "ask",
    layer: "project",
    source: ".baton/config.jsonc checks.commands",
  });
  const accesses = verdict.accesses.map((access) =>
    isOpen(access) ? { ...access, effect: "ask" as const, rule: ruleFor(access.resource) } : access,
  );
  const why = "The project names this check, and no rule of yours allows it, so Baton asks.";
  return { ...verdict, effect: "ask", rule: ruleFor(open?.resource ?? "*"), accesses, why };
}
