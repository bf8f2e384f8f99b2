import { type Browser, chromium, type Page } from "playwright-core";
import { browserPath } from "../stack/browser_install.ts";

/** Starts the browser that `npm test` has found or installed. */
export async function launchBrowser(): Promise<Browser> {
  // The sandbox needs rights that containers do not have; what is opened here is our own.
  return chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
}

/** Fills in the sign-in form of the console, in whatever language, and sends it. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.locator("input[name=email]").fill(email);
  await page.locator("input[name=password]").fill(password);
  await page.locator("button[type=submit]").click();
}

/** Waits until a page of the console has loaded: no placeholder and no busy part is left. */
export async function settle(page: Page): Promise<void> {
  await page.locator("h1").waitFor();
  await page.waitForFunction(() => document.querySelectorAll("[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root").length === 0);
}
