import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { projectRoot } from "../stack/paths.ts";
import { Problem } from "../stack/problem.ts";
import type { StackInfo } from "../stack/stack.ts";
import { launchBrowser, settle, signIn } from "./console_visit.ts";

/** A picture in README.md: a page of the console with the demo company, or one section of a page. */
export interface ReadmePicture {
  /** Path of the picture, relative to the root of the project. */
  file: string;
  /** The route of the page, such as `/orders/2405`. */
  route: string;
  /** The heading of the page. */
  title: string;
  /** The heading of the section that the picture shows. By default, it shows the whole window. */
  section?: string;
}

/** The pictures in README.md, taken by `npm run gen -- --pictures`. */
export const readmePictures: readonly ReadmePicture[] = [
  { file: "docs/pictures/console.png", route: "/overview", title: "Overview" },
  { file: "docs/pictures/settlement.png", route: "/orders/2405", title: "Order 2405", section: "Settlement" },
];

/** Opens the console of the demo company in a browser, signs in as its administrator, and runs `work`. */
export async function withConsole<T>({ console_url, users }: StackInfo, work: (page: Page) => Promise<T>): Promise<T> {
  const administrator = users.find(({ role }) => role === "store_admin");
  if (!administrator) throw new Problem("The local stack has no demo company.", "Load it with `npm start -- --reset`, which deletes all data.");
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, locale: "en-GB", timezoneId: "Asia/Shanghai", reducedMotion: "reduce" });
    await page.goto(console_url);
    await signIn(page, administrator.email, administrator.password);
    await page.getByRole("navigation").waitFor();
    return await work(page);
  } finally {
    await browser.close();
  }
}

/** Opens the page of a picture and waits until it has loaded. @returns the element that the picture shows */
export async function showPicture(page: Page, { route, title, section }: ReadmePicture): Promise<Locator> {
  await page.evaluate((hash) => { location.hash = hash; }, route);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await settle(page);
  const shown = section ? page.getByRole("region", { name: section, exact: true }) : page.locator("body");
  await shown.waitFor();
  return shown;
}

/** Takes the pictures of README.md in a running local stack with demo data. @returns the written files */
export async function takeReadmePictures(stack: StackInfo): Promise<string[]> {
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
