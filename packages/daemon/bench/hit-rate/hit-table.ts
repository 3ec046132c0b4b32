/** By way to look: for each commit the share of its files that were named. */
export type Hits = Map<string, number[]>;

const percent = (value: number): string => `${Math.round(value * 100)} %`;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The report as Markdown. */
export function hitTable(hits: Hits, commits: number): string {
  const rows = [...hits].map(
    ([what, shares]) => `| ${what} | ${percent(mean(shares.map((share) => (share > 0 ? 1 : 0))))} | ${percent(mean(shares))} |`,
  );
  return `# Code search

\`npm run pnpm -- --filter @baton/daemon hit-rate\` wrote this page. It takes ${commits} commits of Baton's own history that change one to
eight source files. For each, it looks at the folder as it was before the commit, with the title of the commit as the prompt, and
counts the changed files that each way to look names. Titles say more than most prompts, so compare the rows with each other.

| way to look | commits of which it names a file | files that it names |
| --- | ---: | ---: |
${rows.join("\n")}
`;
}
