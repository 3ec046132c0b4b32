type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The fields that have a value. Spread it to set optional fields, which must be absent rather than undefined. */
export function omitUndefined<T extends object>(fields: T): Defined<T> {
  const rest: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== undefined) rest[key] = fields[key];
  return rest as Defined<T>; // only undefined fields are gone
}
