import type { Page } from "playwright-core";

/**
 * Waits until a page of a site has loaded: it has its heading, and no placeholder and no busy element is left.
 * @param busy selects the placeholders and busy elements of the site
 */
export async function untilLoaded(page: Page, busy: string): Promise<void> {
  // At once: the heading that is shown until the script has arrived disappears before the first placeholder appears.
  await page.waitForFunction(
    (selector) => document.querySelector("h1") !== null && document.querySelector(selector) === null,
    busy,
    // By default, it looks in each frame, and every frame is then drawn.
    { polling: 100 },
  );
}
