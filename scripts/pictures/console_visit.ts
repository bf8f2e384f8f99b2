import { type Browser, chromium, type Page } from "playwright-core";
import { untilLoaded } from "./until_loaded.ts";
import { browserPath } from "../ground/browser_install.ts";

/** Starts the browser that `npm test` found or installed. @param env its environment */
export async function launchBrowser(env: NodeJS.ProcessEnv = process.env): Promise<Browser> {
  // The sandbox needs privileges that containers lack. Only our own pages are opened here. Drawing for a graphics
  // processor that is not there took a sixth of the browser's time, and optimizing scripts for pages that are soon left
  // another sixth.
  const args = ["--no-sandbox", "--disable-gpu", "--js-flags=--no-opt --no-maglev"];
  return chromium.launch({ executablePath: browserPath, args, env });
}

/** Fills in and submits the sign-in form of the console, in any language. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.locator("input[name=email]").fill(email);
  await page.locator("input[name=password]").fill(password);
  await page.locator("button[type=submit]").click();
}

/** Waits until a page of the console has loaded. */
export const settle = (page: Page): Promise<void> =>
  untilLoaded(page, "[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root");
