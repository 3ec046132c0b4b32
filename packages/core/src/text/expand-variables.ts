/** `{{name}}` becomes the variable of that name: a text as it is, everything else as JSON. What is no variable stays as it is. */
export const expandVariables = (text: string, variables: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value === undefined ? whole : typeof value === "string" ? value : JSON.stringify(value);
  });
