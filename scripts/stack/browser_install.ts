import { existsSync } from "node:fs";
import { apt, canInstallPackages } from "./debian_packages.ts";
import { Problem } from "./problem.ts";
import type { ShowDetail } from "./progress.ts";

/** Where Debian's Chromium without windows is, which opens a page in half the time of the one with windows, or the browser that CHROMIUM names. */
export const browserPath = process.env.CHROMIUM || "/usr/bin/chromium-headless-shell";

// Without the fonts, Chinese text is drawn as boxes in screenshots.
const packages = ["chromium-headless-shell", "fonts-noto-cjk"];

/** Finds the browser that the tests of the pages open, and installs it first where that is possible. @throws Problem that says what to install */
export async function provideBrowser(show: ShowDetail): Promise<void> {
  if (existsSync(browserPath)) return;
  const byHand = `apt-get install ${packages.join(" ")}`;
  if (process.env.CHROMIUM || !canInstallPackages()) {
    throw new Problem(`There is no browser at ${browserPath}, which the tests of the pages open.`, `Install one (on Debian: ${byHand}), or set CHROMIUM to where one is. The other tests need none: npm test -- test/api`);
  }
  await apt(["update"], show);
  await apt(["install", "--no-install-recommends", ...packages], show);
}
