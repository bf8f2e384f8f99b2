import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import type { StackInfo } from "../ground/stack_file.ts";
import { launchBrowser, settle, signIn } from "./console_visit.ts";
import { newPhone, newSession, settleH5 } from "./h5_visit.ts";

/** A picture in README.md: a page of the console with the demo company, or one section of a page. */
export interface ConsolePicture {
  /** Path of the picture, relative to the root of the project. */
  file: string;
  /** The route of the page, such as `/orders/2405`. */
  route: string;
  /** The heading of the page. */
  title: string;
  /** The heading of the section that the picture shows. By default, it shows the whole window. */
  section?: string;
}

/** The pictures of the console in README.md, taken by `npm run gen -- --pictures`. */
export const consolePictures: readonly ConsolePicture[] = [
  { file: "docs/pictures/console.png", route: "/overview", title: "Overview" },
  { file: "docs/pictures/settlement.png", route: "/orders/2405", title: "Order 2405", section: "Settlement" },
];

/**
 * The picture of the H5 app in README.md: three of its pages side by side, as a member of the demo company sees them.
 */
export const appPicture = { file: "docs/pictures/app.png", routes: ["/", "/me", "/team"] } as const;

/**
 * The labels that each picture shows, by its file, so that a test sees when the pages no longer look like their
 * pictures.
 */
export const shownLabelsFile = join(projectRoot, "docs/pictures/labels.json");

/** The entries of the menu, headings and tabs that a page or a section of it shows. They do not depend on the day. */
export async function labelsOf(shown: Locator): Promise<string[]> {
  const texts = await shown.locator("nav :is(button, a):visible, h1, h2, h3, [role=tab]").allInnerTexts();
  // The second line of an entry is how many things wait there.
  return texts.map((text) => text.split("\n")[0]!.trim()).filter((text) => text !== "");
}

/** Starts a browser: that of the tests has their clock. */
type Launch = () => Promise<Browser>;

/** Opens the console of the demo company in a browser, signs in as its administrator, and runs `work`. */
export async function withConsole<T>(
  { console_url, users }: StackInfo,
  work: (page: Page) => Promise<T>,
  launch: Launch = launchBrowser,
): Promise<T> {
  const administrator = users.find(({ role }) => role === "store_admin");
  if (!administrator)
    throw new Problem(
      "The local stack has no demo company.",
      "Load it with `npm start -- --reset`, which deletes all data.",
    );
  const browser = await launch();
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 860 },
      locale: "en-GB",
      timezoneId: "Asia/Shanghai",
      reducedMotion: "reduce",
    });
    await page.goto(console_url);
    await signIn(page, administrator.email, administrator.password);
    await page.getByRole("navigation").waitFor();
    return await work(page);
  } finally {
    await browser.close();
  }
}

/** Opens the page of a picture and waits until it has loaded. @returns the element that the picture shows */
export async function showPicture(page: Page, { route, title, section }: ConsolePicture): Promise<Locator> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, route);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await settle(page);
  const shown = section ? page.getByRole("region", { name: section, exact: true }) : page.locator("body");
  await shown.waitFor();
  // The computation below a settlement.
  for (const summary of await shown.locator("details:not([open]) > summary").all()) await summary.click();
  return shown;
}

/** Opens the pages of the app's picture on a phone of the demo member Chen Jing, and runs `work` with each. */
export async function withApp<T>(
  stack: StackInfo,
  work: (page: Page) => Promise<T>,
  launch: Launch = launchBrowser,
): Promise<T[]> {
  const member = stack.users.find(({ email }) => email === "chen@example.com");
  if (!member)
    throw new Problem(
      "The local stack has no demo company.",
      "Load it with `npm start -- --reset`, which deletes all data.",
    );
  const browser = await launch();
  try {
    const setting = { locale: "en-GB", colorScheme: "light", deviceScaleFactor: 2 } as const;
    const phone = await newPhone(browser, stack, setting, await newSession(stack, member.email, member.password));
    const results: T[] = [];
    for (const route of appPicture.routes) {
      const page = await phone.newPage();
      await page.goto(`${stack.h5_url}#${route}`);
      await settleH5(page);
      results.push(await work(page));
    }
    return results;
  } finally {
    await browser.close();
  }
}

/** Takes the picture of the app. @returns the labels of its pages */
async function takeAppPicture(stack: StackInfo): Promise<string[]> {
  const labels: string[] = [];
  const pages = await withApp(stack, async (page) => {
    labels.push(...(await labelsOf(page.locator("body"))));
    return (await page.screenshot()).toString("base64");
  });
  const browser = await launchBrowser();
  try {
    const sheet = await browser.newPage({ viewport: { width: 1176, height: 788 } });
    const style =
      "body { margin: 24px; display: flex; gap: 24px } img { width: 360px; border-radius: 24px; box-shadow: 0 0 0 1px #0003 }";
    await sheet.setContent(
      `<style>${style}</style>${pages.map((png) => `<img src="data:image/png;base64,${png}">`).join("")}`,
    );
    await sheet.screenshot({ path: join(projectRoot, appPicture.file), omitBackground: true });
  } finally {
    await browser.close();
  }
  return labels;
}

/** Takes the pictures of README.md in a running local stack with demo data. @returns the written files */
export async function takeReadmePictures(stack: StackInfo): Promise<string[]> {
  const labels: Record<string, string[]> = {};
  await withConsole(stack, async (page) => {
    for (const picture of consolePictures) {
      const path = join(projectRoot, picture.file);
      mkdirSync(dirname(path), { recursive: true });
      const shown = await showPicture(page, picture);
      labels[picture.file] = await labelsOf(shown);
      await (picture.section ? shown.screenshot({ path }) : page.screenshot({ path }));
    }
  });
  labels[appPicture.file] = await takeAppPicture(stack);
  writeFileSync(shownLabelsFile, `${JSON.stringify(labels, null, 2)}\n`);
  return [...Object.keys(labels), shownLabelsFile];
}
