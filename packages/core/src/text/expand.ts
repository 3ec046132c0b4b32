/** `{{name}}` becomes the variable of that name; what is no variable stays as it is. */
export const expandVariables = (text: string, variables: Readonly<Record<string, string | number | boolean>>): string =>
  text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => (Object.hasOwn(variables, name) ? String(variables[name]) : whole));
