import type axe from "axe-core";
import type { Page } from "playwright-core";

/** What the checker finds, each as one line; of the contrasts alone, or of all. */
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

/** What the checker finds in some looks of what is on the screen: what is not a colour is the same in all of them. */
export async function violationsIn(looks: typeof LOOKS, page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [nth, { theme, contrast }] of looks.entries()) {
    await page.evaluate((look) => Object.assign(document.documentElement.dataset, look), { theme, contrast });
    for (const line of await violations(page, nth === 0 ? "all" : "contrasts")) found.push(`${theme} ${contrast} ${line}`);
  }
  return found;
}

/** All looks of the page. */
export const LOOKS = [
  { theme: "light", contrast: "" },
  { theme: "dark", contrast: "" },
  { theme: "light", contrast: "more" },
  { theme: "dark", contrast: "more" },
];
