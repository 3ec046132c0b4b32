/** A generated page. `parts` are separated by empty lines. */
export type Page = { file: string; title: string; about: string; parts: readonly string[] };

const NOTICE = "<!-- `npm run docs` writes this page from the code. Change the code instead. -->";

export const pageText = ({ title, about, parts }: Page): string => `${[`# ${title}`, NOTICE, about, ...parts].join("\n\n")}\n`;
