import type axe from "axe-core";
import type { Page } from "playwright-core";

/** The findings of the checker, each as one line: only for contrasts, or for all rules. */
export async function violations(page: Page, rules: "all" | "contrasts" = "all"): Promise<string[]> {
  return page.evaluate(async (which) => {
    const checker: unknown = Reflect.get(window, "axe");
    const { run } = checker as typeof axe;
    const { violations: found } = await run(document, {
      resultTypes: ["violations"],
      ...(which === "all" ? {} : { runOnly: ["color-contrast", "link-in-text-block"] }),
    });
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary ?? ""}`),
    );
  }, rules);
}

/** The findings of the checker in some appearances of the current view. Rules other than contrast are the same in all of them. */
export async function violationsIn(looks: typeof LOOKS, page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [nth, { theme, contrast }] of looks.entries()) {
    await page.evaluate((look) => Object.assign(document.documentElement.dataset, look), { theme, contrast });
    for (const line of await violations(page, nth === 0 ? "all" : "contrasts")) found.push(`${theme} ${contrast} ${line}`);
  }
  return found;
}

/** All appearances of the page. */
export const LOOKS = [
  { theme: "light", contrast: "" },
  { theme: "dark", contrast: "" },
  { theme: "light", contrast: "more" },
  { theme: "dark", contrast: "more" },
];
