import { Effect } from "@baton/core/protocol/rule";
import { configSections } from "./config-schema.ts";

/** A problem, and its path below `permissions`. */
type PermissionsIssue = { path: (string | number)[]; message: string };

/** An object whose fields have not been checked. */
type Unchecked = Readonly<Record<string, unknown>>;

const EFFECTS = `the effects are ${Effect.options.join(", ")}`;

/** The problems of an invalid `permissions`. It guesses whether a list or a table was meant, because the schema only knows that neither matches. */
export function validatePermissions(value: unknown): PermissionsIssue[] {
  if (Array.isArray(value)) return checkList(value);
  if (typeof value !== "object" || value === null)
    return [{ path: [], message: "write a list of rules {action, resource, effect}, or a table of actions with their effects" }];
  return Object.entries(value as Unchecked).flatMap(([action, setting]): PermissionsIssue[] =>
    typeof setting === "object" && setting !== null
      ? Object.entries(setting as Unchecked).flatMap(([resource, effect]) => checkEffect([action, resource], effect))
      : checkEffect([action], setting),
  );
}

const checkEffect = (path: string[], value: unknown): PermissionsIssue[] =>
  Effect.safeParse(value).success ? [] : [{ path, message: `${JSON.stringify(value)} is not an effect; ${EFFECTS}` }];

function checkList(value: readonly unknown[]): PermissionsIssue[] {
  const { error } = configSections.permissions.options[0].safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => {
    const at = path.map((step) => (typeof step === "symbol" ? String(step) : step));
    const rule: unknown = value[Number(at[0])];
    const [, key] = at;
    if (typeof rule !== "object" || rule === null || key === undefined) return { path: at, message };
    const entry = Object.entries(rule).find(([name]) => name === key);
    if (entry === undefined) return { path: at.slice(0, 1), message: `${String(key)} is missing in this rule` };
    return key === "effect" ? { path: at, message: `${JSON.stringify(entry[1])} is not an effect; ${EFFECTS}` } : { path: at, message };
  });
}
