type Fields = Readonly<Record<string, unknown>>;
type Schema = Fields;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

const MOST_LETTERS = 100_000;

/**
 * What is wrong with the fields of an answer to a form, in words; undefined when they fit. `schema` is a flat JSON schema of
 * strings, numbers, booleans and choices. What it says that is not known here binds nobody.
 */
export function faultOfFields(schema: Schema, fields: Fields): string | undefined {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const missing = required.filter((name) => fields[name] === undefined || fields[name] === "");
  if (missing.length > 0) return `Fill in: ${missing.join(", ")}.`;
  for (const [name, value] of Object.entries(fields)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(property)) return `There is no field ${name}; the fields are: ${Object.keys(properties).join(", ")}.`;
    const fault = faultOfValue(property, value);
    if (fault !== undefined) return `${name} ${fault}.`;
  }
  return undefined;
}

function faultOfValue(property: Schema, value: unknown): string | undefined {
  const choices = choicesOf(property);
  if (choices && !choices.includes(String(value))) return `is one of: ${choices.join(", ")}`;
  switch (property["type"]) {
    case "string":
      return typeof value === "string" ? faultOfText(property, value) : "is a text";
    case "number":
    case "integer":
      return typeof value === "number" && Number.isFinite(value) ? faultOfNumber(property, value) : "is a number";
    case "boolean":
      return typeof value === "boolean" ? undefined : "is true or false";
    case "array":
      return faultOfList(property, value);
    default:
      return undefined;
  }
}

function faultOfText({ minLength, maxLength, format }: Schema, value: string): string | undefined {
  if (value.length > (typeof maxLength === "number" ? maxLength : MOST_LETTERS))
    return `has at most ${String(maxLength ?? MOST_LETTERS)} letters`;
  if (typeof minLength === "number" && value.length < minLength) return `has at least ${minLength} letters`;
  if (format === "email" && !/^[^@\s]+@[^@\s]+$/.test(value)) return "is an address like name@host";
  if (format === "uri" && !/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value)) return "is an address like https://host/path";
  return undefined;
}

function faultOfNumber({ type, minimum, maximum }: Schema, value: number): string | undefined {
  if (type === "integer" && !Number.isInteger(value)) return "is a whole number";
  if (typeof minimum === "number" && value < minimum) return `is at least ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `is at most ${maximum}`;
  return undefined;
}

function faultOfList(property: Schema, value: unknown): string | undefined {
  if (!Array.isArray(value)) return "is a list";
  const items = isObject(property["items"]) ? choicesOf(property["items"]) : undefined;
  const other: unknown = items && value.find((each: unknown): boolean => !items.includes(String(each)));
  return other === undefined ? undefined : `holds only: ${items?.join(", ")}`;
}

/** The values that a field may have, where it names them; `enum`, or `oneOf` and `anyOf` with titles. */
export function choicesOf(property: Schema): string[] | undefined {
  if (Array.isArray(property["enum"])) return property["enum"].map(String);
  const titled = property["oneOf"] ?? property["anyOf"];
  if (!Array.isArray(titled)) return undefined;
  const values = titled.flatMap((each: unknown) => (isObject(each) && "const" in each ? [String(each["const"])] : []));
  return values.length > 0 ? values : undefined;
}
