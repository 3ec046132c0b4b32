import { isRecord } from "../text/json.ts";

type Fields = Readonly<Record<string, unknown>>;
type Schema = Fields;

const MAX_CHARACTERS = 100_000;

/**
 * Describes what is wrong with the fields of an answer to a form. Undefined if they fit. `schema` is a flat JSON schema of
 * strings, numbers, booleans and choices. Unknown keywords are ignored.
 */
export function formFieldsProblem(schema: Schema, fields: Fields): string | undefined {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const missing = required.filter((name) => fields[name] === undefined || fields[name] === "");
  if (missing.length > 0) return `Fill in: ${missing.join(", ")}.`;
  for (const [name, value] of Object.entries(fields)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isRecord(property)) return `There is no field ${name}; the fields are: ${Object.keys(properties).join(", ")}.`;
    const problem = valueProblem(property, value);
    if (problem !== undefined) return `${name} ${problem}.`;
  }
  return undefined;
}

function valueProblem(property: Schema, value: unknown): string | undefined {
  const choices = fieldChoices(property);
  if (choices && !choices.includes(String(value))) return `is one of: ${choices.join(", ")}`;
  switch (property["type"]) {
    case "string":
      return typeof value === "string" ? textProblem(property, value) : "is a text";
    case "number":
    case "integer":
      return typeof value === "number" && Number.isFinite(value) ? numberProblem(property, value) : "is a number";
    case "boolean":
      return typeof value === "boolean" ? undefined : "is true or false";
    case "array":
      return listProblem(property, value);
    default:
      return undefined;
  }
}

function textProblem({ minLength, maxLength, format }: Schema, value: string): string | undefined {
  if (value.length > (typeof maxLength === "number" ? maxLength : MAX_CHARACTERS))
    return `has at most ${String(maxLength ?? MAX_CHARACTERS)} characters`;
  if (typeof minLength === "number" && value.length < minLength) return `has at least ${minLength} characters`;
  if (format === "email" && !/^[^@\s]+@[^@\s]+$/.test(value)) return "is an address like name@host";
  if (format === "uri" && !/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value)) return "is an address like https://host/path";
  return undefined;
}

function numberProblem({ type, minimum, maximum }: Schema, value: number): string | undefined {
  if (type === "integer" && !Number.isInteger(value)) return "is a whole number";
  if (typeof minimum === "number" && value < minimum) return `is at least ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `is at most ${maximum}`;
  return undefined;
}

function listProblem(property: Schema, value: unknown): string | undefined {
  if (!Array.isArray(value)) return "is a list";
  const items = isRecord(property["items"]) ? fieldChoices(property["items"]) : undefined;
  const other: unknown = items && value.find((each: unknown): boolean => !items.includes(String(each)));
  return other === undefined ? undefined : `holds only: ${items?.join(", ")}`;
}

/** The values that a field may have, from `enum`, or from `oneOf` and `anyOf` with titles. Undefined if it is free. */
export function fieldChoices(property: Schema): string[] | undefined {
  if (Array.isArray(property["enum"])) return property["enum"].map(String);
  const titled = property["oneOf"] ?? property["anyOf"];
  if (!Array.isArray(titled)) return undefined;
  const values = titled.flatMap((each: unknown) => (isRecord(each) && "const" in each ? [String(each["const"])] : []));
  return values.length > 0 ? values : undefined;
}

/** One field of a form, for drawing. `choices`: its possible values. `many`: it takes several of them. */
export type FormField = {
  name: string;
  title: string;
  description: string;
  type: "text" | "number" | "boolean" | "list";
  choices: string[] | undefined;
  required: boolean;
  initially: string;
};

/** The fields of a form, in order. */
export function formFields(schema: Schema): FormField[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  return Object.entries(properties).map(([name, schema]) => {
    const property = isRecord(schema) ? schema : {};
    const items = isRecord(property["items"]) ? property["items"] : property;
    const { title, description, default: initially } = property;
    return {
      name,
      title: typeof title === "string" ? title : name,
      description: typeof description === "string" ? description : "",
      type: fieldType(property["type"]),
      choices: fieldChoices(items),
      required: required.includes(name),
      initially: Array.isArray(initially) ? initially.map(String).join(", ") : initially === undefined ? "" : String(initially),
    };
  });
}

function fieldType(type: unknown): FormField["type"] {
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "boolean";
  return type === "array" ? "list" : "text";
}

/** Converts typed texts to the values that their fields expect. Leaves out empty ones. */
export function typedFields(schema: Schema, typed: Readonly<Record<string, string>>): Record<string, unknown> {
  const byName = new Map(formFields(schema).map((field) => [field.name, field]));
  const filled = Object.entries(typed).filter(([, text]) => text.trim() !== "");
  return Object.fromEntries(filled.map(([name, text]) => [name, parseValue(byName.get(name)?.type ?? "text", text.trim())]));
}

function parseValue(type: FormField["type"], text: string): unknown {
  switch (type) {
    case "text":
      return text;
    case "number":
      return Number.isNaN(Number(text)) ? text : Number(text);
    case "boolean":
      return /^(yes|y|true|1)$/i.test(text) ? true : /^(no|n|false|0)$/i.test(text) ? false : text;
    case "list":
      return text.split(",").map((each) => each.trim());
  }
}

/** Parses an answer to a form from a line such as `colour: red; size: l`. A form with one field takes the whole text. */
export function fieldsFromText(schema: Schema, text: string): Record<string, unknown> {
  const fields = formFields(schema);
  const initial = Object.fromEntries(fields.map(({ name, initially }) => [name, initially]));
  const parts = text.split(/[;\n]/).map((part) => /^\s*([\w.-]+)\s*[:=]\s*(.*)$/s.exec(part));
  const [only, ...more] = fields;
  if (only && more.length === 0 && parts.every((part) => part?.[1] !== only.name)) return typedFields(schema, { [only.name]: text });
  const typed = parts.flatMap((part) => (part?.[1] === undefined ? [] : [[part[1], part[2] ?? ""] as const]));
  return typedFields(schema, { ...initial, ...Object.fromEntries(typed) });
}
