const HEADING = "## Edits as models send them";

/** The section of the comparison about edits, whose numbers come from `test/edit-calls/main.ts`. Empty if the page has none. */
export const editSectionOf = (page: string): string => {
  const start = page.indexOf(HEADING);
  return start < 0 ? "" : page.slice(start).trimEnd();
};

/** The page with this section at its end. */
export const withEditSection = (page: string, section: string): string => {
  const start = page.indexOf(HEADING);
  const rest = (start < 0 ? page : page.slice(0, start)).trimEnd();
  return section === "" ? `${rest}\n` : `${rest}\n\n${section.trimEnd()}\n`;
};

export const editSection = (body: string): string => `${HEADING}\n\n${body}`;
