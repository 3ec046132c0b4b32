/** A motion, with the character that `f`, `F`, `t` and `T` look for. */
export type Motion = { name: MotionName; character?: string };

export type Operator = "d" | "c" | "y";

/** A finished command of normal or visual mode. */
export type VimCommand =
  | { type: "motion"; count: number | undefined; motion: Motion }
  | { type: "operate"; count: number | undefined; operator: Operator; motion: Motion }
  | { type: "operateObject"; operator: Operator; object: TextObject }
  | { type: "operateLines"; count: number | undefined; operator: Operator }
  | { type: "select"; object: TextObject }
  | { type: "operateSelection"; operator: Operator }
  | { type: "action"; count: number | undefined; name: ActionName; character?: string };

export type TextObject = { around: boolean; kind: string };

const MOTIONS = [
  "h",
  "l",
  "j",
  "k",
  "w",
  "W",
  "b",
  "B",
  "e",
  "E",
  "ge",
  "gE",
  "0",
  "$",
  "^",
  "_",
  "gg",
  "G",
  "f",
  "F",
  "t",
  "T",
  ";",
  ",",
] as const;
type MotionName = (typeof MOTIONS)[number];

const ACTIONS = ["i", "a", "I", "A", "o", "O", "x", "X", "s", "S", "D", "C", "Y", "p", "P", "u", ".", "~", "J", "r", "v", "V"] as const;
export type ActionName = (typeof ACTIONS)[number];

const OBJECT_KINDS = "wW\"'`()b[]{}B<>";

const isMotion = (name: string): name is MotionName => (MOTIONS as readonly string[]).includes(name);
const isAction = (name: string): name is ActionName => (ACTIONS as readonly string[]).includes(name);
const isOperator = (name: string): name is Operator => name === "d" || name === "c" || name === "y";

/** Parses typed keys. `isVisual`: operators take the selection, and `i` and `a` begin a text object. Undefined for keys that mean nothing. */
export function parseCommand(typed: string, { isVisual }: { isVisual: boolean }): VimCommand | "incomplete" | undefined {
  const [, digits = "", rest = ""] = /^([1-9]\d*)?(.*)$/su.exec(typed) ?? [];
  const count = digits === "" ? undefined : Number(digits);
  if (rest === "") return "incomplete";
  const first = rest.charAt(0);
  if (isVisual && (first === "i" || first === "a")) return parseObject(rest, (object) => ({ type: "select", object }));
  if (isOperator(first) && !isVisual) return parseOperation(first, rest.slice(1), count);
  if (isVisual && isOperator(rest)) return { type: "operateSelection", operator: rest };
  const motion = parseMotion(rest);
  if (motion === "incomplete") return motion;
  if (motion) return { type: "motion", count, motion };
  if (first === "r") return rest === "r" ? "incomplete" : { type: "action", count, name: "r", character: rest.slice(1) };
  return isAction(rest) ? { type: "action", count, name: rest } : undefined;
}

function parseOperation(operator: Operator, typed: string, before: number | undefined): VimCommand | "incomplete" | undefined {
  const [, digits = "", rest = ""] = /^([1-9]\d*)?(.*)$/su.exec(typed) ?? [];
  if (rest === "") return "incomplete";
  const count = digits === "" ? before : Number(digits) * (before ?? 1);
  if (rest === operator) return { type: "operateLines", count, operator };
  if (rest.startsWith("i") || rest.startsWith("a")) return parseObject(rest, (object) => ({ type: "operateObject", operator, object }));
  const motion = parseMotion(rest);
  return motion === "incomplete" || !motion ? motion : { type: "operate", count, operator, motion };
}

function parseMotion(typed: string): Motion | "incomplete" | undefined {
  const [first = ""] = typed;
  if ("fFtT".includes(first)) return typed === first ? "incomplete" : { name: first as MotionName, character: typed.slice(1) }; // one of the four
  if (typed === "g") return "incomplete";
  return isMotion(typed) ? { name: typed } : undefined;
}

function parseObject(typed: string, toCommand: (object: TextObject) => VimCommand): VimCommand | "incomplete" | undefined {
  if (typed.length === 1) return "incomplete";
  const kind = typed.slice(1);
  return OBJECT_KINDS.includes(kind) ? toCommand({ around: typed.startsWith("a"), kind }) : undefined;
}
