import { existsSync } from "node:fs";
import { apt, canInstallPackages } from "./debian_packages.ts";
import { Problem } from "./problem.ts";
import type { ShowDetail } from "./progress.ts";

const headlessChromium = "/usr/bin/chromium-headless-shell";

/** Where a Chromium may be. Debian's headless one is preferred: it opens a page in half the time of the full one. */
const places = [
  headlessChromium,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser of the tests: CHROMIUM, or the first one found. */
export const browserPath = process.env.CHROMIUM || (places.find((path) => existsSync(path)) ?? headlessChromium);

// Without these fonts, screenshots show Chinese text as boxes.
const packages = ["chromium-headless-shell", "fonts-noto-cjk"];

/**
 * Installs the browser of the page tests if it is missing and can be installed.
 * @param isOptional the tests of the pages can be skipped, unless CHROMIUM demands a browser
 * @returns whether there is a browser
 * @throws Problem that says what to install
 */
export async function ensureBrowser(show: ShowDetail, isOptional: boolean): Promise<boolean> {
  if (existsSync(process.env.CHROMIUM || headlessChromium)) return true;
  const byHand = `apt-get install ${packages.join(" ")}`;
  if (process.env.CHROMIUM || !canInstallPackages()) {
    if (existsSync(browserPath)) return true;
    if (isOptional && !process.env.CHROMIUM) return false;
    throw new Problem(
      `The page tests need a browser, and there is none at ${browserPath}.`,
      `Install one (on Debian: ${byHand}), or set CHROMIUM to the path of a browser. Other tests need no browser: npm test -- test/api`,
    );
  }
  try {
    await apt(["update"], show);
    await apt(["install", "--no-install-recommends", ...packages], show);
  } catch (error) {
    // The full Chromium works as well.
    if (!existsSync(browserPath) && !(isOptional && error instanceof Problem)) throw error;
  }
  return existsSync(browserPath) || existsSync(headlessChromium);
}
