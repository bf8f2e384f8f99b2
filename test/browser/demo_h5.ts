import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { complaintsOf } from "./browser.ts";
import { DemoSite } from "./demo_site.ts";

/** How the phone of a visitor is set up. */
export interface Phone {
  colorScheme?: "light" | "dark";
  locale?: string;
  /** The email address of a demo account that has signed in on this phone before. */
  member?: string;
}

/** A page of the H5 app, with what went wrong in it. */
export interface H5Page {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  /** Opens a page by its route, as `/orders?state=paid`, and waits until it stands. */
  open(route: string): Promise<void>;
}

/** Waits until a page of the app has loaded: no placeholder and no busy element is left. */
export async function settleH5(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll("[aria-busy=true], .adm-skeleton, .load-bar").length === 0);
}

/** The narrowest phones that are in use. */
const viewport = { width: 360, height: 740 };

class DemoH5 extends DemoSite {
  private readonly sessions = new Map<string, object>();
  private readonly contexts = new Set<BrowserContext>();

  async endVisits(): Promise<void> {
    for (const context of this.contexts) await context.close();
    this.contexts.clear();
  }

  /** A phone with a profile of its own, on which nothing of the app has been opened yet. */
  async phone({ colorScheme = "light", locale = "zh-CN", member }: Phone = {}): Promise<H5Page> {
    const setting: BrowserContextOptions = { viewport, colorScheme, locale, timezoneId: "Asia/Shanghai", reducedMotion: "reduce", hasTouch: true, isMobile: true };
    const context = await this.browser.newContext({ ...setting, ...(member && { storageState: await this.signedIn(member) }) });
    this.contexts.add(context);
    const page = await context.newPage();
    const open = async (route: string) => {
      // A new load, as the page that is left stands, too, and would be taken for the one that is opened.
      await page.goto("about:blank");
      await page.goto(`${this.info.h5_url}#${route}`);
      await settleH5(page);
    };
    return { page, context, complaints: complaintsOf(page), open };
  }

  private async signedIn(email: string): Promise<NonNullable<BrowserContextOptions["storageState"]>> {
    const session = this.sessions.get(email) ?? await this.newSession(email);
    this.sessions.set(email, session);
    return { cookies: [], origins: [{ origin: this.info.supabase_url, localStorage: [{ name: "store-h5-session", value: JSON.stringify(session) }] }] };
  }
}

/** A stack with its demo month, and phones that visit its H5 app: for the tests of one file. */
export function demoH5(): DemoH5 {
  const demo = new DemoH5();
  beforeAll(() => demo.start(false));
  afterEach(() => demo.endVisits());
  afterAll(() => demo.stop());
  return demo;
}
