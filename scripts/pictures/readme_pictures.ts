import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { projectRoot } from "../stack/paths.ts";
import { Problem } from "../stack/problem.ts";
import type { StackInfo } from "../stack/stack.ts";
import { launchBrowser, settle, signIn } from "./console_visit.ts";

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

/** Opens the console of the demo company in a browser as its administrator, and leaves both to `work`. */
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

/** Opens the page of a picture and waits until it has loaded. @returns what the picture shows */
export async function showPicture(page: Page, { route, title, section }: ReadmePicture): Promise<Locator> {
  await page.evaluate((hash) => { location.hash = hash; }, route);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await settle(page);
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
