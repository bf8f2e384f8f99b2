import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { browserPath } from "../stack/browser_install.ts";
import { projectRoot } from "../stack/paths.ts";
import type { StackInfo } from "../stack/stack.ts";

/** A picture of README.md: a page of the console of the demo company, or one section of it. */
export interface ReadmePicture {
  /** Where the picture is, from the root of the project. */
  file: string;
  /** The route of the console, as `/orders/2405`. */
  route: string;
  /** The heading of the page. */
  title: string;
  /** The heading of the one section that the picture shows; the whole window unless given. */
  section?: string;
}

/** The pictures of README.md, drawn by `npm run gen -- --pictures`. */
export const readmePictures: readonly ReadmePicture[] = [
  { file: "docs/pictures/console.png", route: "/overview", title: "Overview" },
  { file: "docs/pictures/settlement.png", route: "/orders/2405", title: "Order 2405", section: "Settlement" },
];

const administrator = { email: "admin@example.com", password: "store-demo-2026" };

/** Opens the console of the demo company in a browser as its administrator, and leaves both to `work`. */
export async function withConsole<T>({ console_url }: Pick<StackInfo, "console_url">, work: (page: Page) => Promise<T>): Promise<T> {
  // The sandbox needs rights that containers do not have. The browser opens the local stack only.
  const browser: Browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, locale: "en-GB", timezoneId: "Asia/Shanghai", reducedMotion: "reduce" });
    await page.goto(console_url);
    await page.locator("input[name=email]").fill(administrator.email);
    await page.locator("input[name=password]").fill(administrator.password);
    await page.locator("button[type=submit]").click();
    await page.getByRole("navigation").waitFor();
    return await work(page);
  } finally {
    await browser.close();
  }
}

/** Opens the page of a picture and waits until it has loaded. @returns what the picture shows */
export async function showPicture(page: Page, { route, title, section }: ReadmePicture): Promise<Locator> {
  await page.evaluate((hash) => { location.hash = hash; }, route);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.locator("[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root").first().waitFor({ state: "detached" });
  const shown = section ? page.getByRole("region", { name: section, exact: true }) : page.locator("body");
  await shown.waitFor();
  return shown;
}

/** Draws the pictures of README.md from a running local stack with its demo data. @returns the files that were written */
export async function drawReadmePictures(stack: StackInfo): Promise<string[]> {
  return withConsole(stack, async (page) => {
    for (const picture of readmePictures) {
      const path = join(projectRoot, picture.file);
      mkdirSync(dirname(path), { recursive: true });
      const shown = await showPicture(page, picture);
      await (picture.section ? shown.screenshot({ path }) : page.screenshot({ path }));
    }
    return readmePictures.map(({ file }) => file);
  });
}
