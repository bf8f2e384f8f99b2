import { existsSync } from "node:fs";
import { apt, canInstallPackages } from "./debian_packages.ts";
import { Problem } from "./problem.ts";
import type { ShowDetail } from "./progress.ts";

const headlessChromium = "/usr/bin/chromium-headless-shell";
const fullChromium = "/usr/bin/chromium";

/** The browser of the tests: CHROMIUM, or Debian's headless Chromium, which opens a page in half the time of the full one. */
export const browserPath = process.env.CHROMIUM || (existsSync(fullChromium) && !existsSync(headlessChromium) ? fullChromium : headlessChromium);

// Without these fonts, screenshots show Chinese text as boxes.
const packages = ["chromium-headless-shell", "fonts-noto-cjk"];

/** Installs the browser of the page tests if it is missing and can be installed. @throws Problem that says what to install */
export async function ensureBrowser(show: ShowDetail): Promise<void> {
  if (existsSync(process.env.CHROMIUM || headlessChromium)) return;
  const byHand = `apt-get install ${packages.join(" ")}`;
  if (process.env.CHROMIUM || !canInstallPackages()) {
    if (existsSync(browserPath)) return;
    throw new Problem(`The page tests need a browser, and there is none at ${browserPath}.`, `Install one (on Debian: ${byHand}), or set CHROMIUM to the path of a browser. Other tests need no browser: npm test -- test/api`);
  }
  try {
    await apt(["update"], show);
    await apt(["install", "--no-install-recommends", ...packages], show);
  } catch (error) {
    // The full Chromium works as well.
    if (!existsSync(browserPath)) throw error;
  }
}
