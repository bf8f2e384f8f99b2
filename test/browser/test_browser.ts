import type { Browser, BrowserContext } from "playwright-core";
import { fakeClockOffset, withRealClock } from "../../scripts/checks/clock.ts";
import { launchBrowser } from "../../scripts/pictures/console_visit.ts";
import { LONGEST_WAIT_MS } from "../support/longest_wait.ts";

/**
 * Moves the clock of a page. Runs in the page.
 * @param offset in milliseconds
 */
function moveClock(offset: number): void {
  const RealDate = Date;
  window.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [RealDate.now() + offset] : given) as [number]));
    }
    static override now(): number {
      return RealDate.now() + offset;
    }
  } as DateConstructor;
}

/**
 * Starts the browser of the tests. Its pages wait as long as every test does, and have the day of the run: Chromium
 * does not start with libfaketime, so that it keeps the real clock, and its pages get another one.
 */
export async function launchTestBrowser(): Promise<Browser> {
  const browser = await launchBrowser(withRealClock(process.env));
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options): Promise<BrowserContext> => {
    const context = await newContext(options);
    context.setDefaultTimeout(LONGEST_WAIT_MS);
    if (fakeClockOffset() !== 0) await context.addInitScript(moveClock, fakeClockOffset());
    return context;
  };
  return browser;
}
