import { expect, test } from "vitest";
import { fieldChoices, formFieldsProblem, fieldsFromText, formFields, typedFields } from "./form-fields.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2, maxLength: 5 },
    mail: { type: "string", format: "email" },
    page: { type: "string", format: "uri" },
    age: { type: "integer", minimum: 1, maximum: 9 },
    weight: { type: "number" },
    sure: { type: "boolean" },
    colour: { type: "string", enum: ["red", "blue"] },
    size: {
      type: "string",
      oneOf: [
        { const: "s", title: "Small" },
        { const: "l", title: "Large" },
      ],
    },
    days: { type: "array", items: { enum: ["mo", "tu"] } },
    other: {},
  },
  required: ["name"],
};

test.each([
  [{}, "Fill in: name."],
  [{ name: "" }, "Fill in: name."],
  [{ name: "Ada" }, undefined],
  [{ name: "A" }, "name has at least 2 characters."],
  [{ name: "Augusta" }, "name has at most 5 characters."],
  [{ name: 7 }, "name is a text."],
  [{ name: "Ada", mail: "nobody" }, "mail is an address like name@host."],
  [{ name: "Ada", page: "nowhere" }, "page is an address like https://host/path."],
  [{ name: "Ada", age: 1.5 }, "age is a whole number."],
  [{ name: "Ada", age: 0 }, "age is at least 1."],
  [{ name: "Ada", age: 10 }, "age is at most 9."],
  [{ name: "Ada", weight: "heavy" }, "weight is a number."],
  [{ name: "Ada", sure: "yes" }, "sure is true or false."],
  [{ name: "Ada", colour: "green" }, "colour is one of: red, blue."],
  [{ name: "Ada", size: "m" }, "size is one of: s, l."],
  [{ name: "Ada", days: "mo" }, "days is a list."],
  [{ name: "Ada", days: ["we"] }, "days holds only: mo, tu."],
  [{ name: "Ada", days: ["mo"], other: { any: 1 }, sure: true, weight: 0.5, size: "s" }, undefined],
  [
    { name: "Ada", unknown: 1 },
    "There is no field unknown; the fields are: name, mail, page, age, weight, sure, colour, size, days, other.",
  ],
])("%j", (fields, fault) => {
  expect(formFieldsProblem(schema, fields)).toBe(fault);
});

test("a schema without properties has no fields and no choices", () => {
  expect(formFieldsProblem({}, {})).toBeUndefined();
  expect(fieldChoices({ oneOf: [{ title: "no value" }] })).toBeUndefined();
});

test("a typed line is an answer: names with values, or the whole text if there is one field", () => {
  expect(fieldsFromText(schema, "name: Ada; age=7; sure: yes; days: mo, tu; weight: x; other: a: b")).toEqual({
    name: "Ada",
    age: 7,
    sure: true,
    days: ["mo", "tu"],
    weight: "x",
    other: "a: b",
  });
  const one = { properties: { colour: { type: "string" } } };
  expect(fieldsFromText(one, "sky: blue")).toEqual({ colour: "sky: blue" });
  expect(fieldsFromText(one, "colour: blue")).toEqual({ colour: "blue" });
  expect(fieldsFromText({ properties: { a: { default: 3, type: "number" }, b: {} } }, "b: x")).toEqual({ a: 3, b: "x" });
  expect(typedFields(schema, { sure: "perhaps", name: " ", mail: "no" })).toEqual({ sure: "perhaps", mail: "no" });
  expect(typedFields({ properties: { sure: { type: "boolean" } } }, { sure: "no" })).toEqual({ sure: false });
});

test("the fields of a form are listed in their order, with their types", () => {
  expect(
    formFields(schema)
      .map(({ name, type, choices, required }) => [name, type, choices, required])
      .slice(0, 1),
  ).toEqual([["name", "text", undefined, true]]);
  expect(formFields(schema).find(({ name }) => name === "days")).toMatchObject({ type: "list", choices: ["mo", "tu"], required: false });
  expect(formFields({ properties: { a: { title: "A", description: "what", default: ["x", "y"] }, b: 7 } })).toMatchObject([
    { title: "A", description: "what", initially: "x, y" },
    { title: "b", initially: "" },
  ]);
  expect(formFields({})).toEqual([]);
});
