import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { settle, signIn } from "../../scripts/pictures/console_visit.ts";
import { complaintsOf } from "./browser.ts";
import { DemoSite, password } from "./demo_site.ts";

export { password };
export const administrator = "admin@example.com";

/** The settings of a visitor's browser. */
export interface Visitor {
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  locale?: string;
  timezoneId?: string;
  /** Whether the browser's cache is empty. */
  newProfile?: boolean;
}

/** A page of the console with its errors. */
export interface ConsolePage {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  /** Opens a route, such as `/users?search=10007`, and waits until it has loaded. */
  open(route: string): Promise<void>;
  /**
   * Opens a page in the loaded console, as a link to it does. That costs less than half as much as `open`, which loads
   * the console again.
   */
  follow(route: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * A store with its demo month, started by the real command, and a browser that visits its console: for the tests of one
 * file.
 * @param empty whether the store has no demo data
 */
export function demoConsole({ empty = false } = {}): DemoConsole {
  const demo = new DemoConsole();
  beforeAll(() => demo.start(empty));
  afterEach(() => demo.endVisits());
  afterAll(() => demo.stop());
  return demo;
}

class DemoConsole extends DemoSite {
  private session?: object;
  private readonly visits = new Set<ConsolePage>();

  /** Closes the pages that a test left open. */
  async endVisits(): Promise<void> {
    for (const visit of this.visits) await visit.close();
  }

  private async profileOf({
    width = 1280,
    height = 800,
    colorScheme = "light",
    locale = "en-GB",
    timezoneId = "Asia/Shanghai",
    newProfile = false,
  }: Visitor): Promise<BrowserContext> {
    const setting: BrowserContextOptions = {
      viewport: { width, height },
      colorScheme,
      locale,
      timezoneId,
      reducedMotion: "reduce",
    };
    return newProfile ? this.browser.newContext(setting) : this.profile(setting);
  }

  /** An empty page with empty storage. @param session of an account that is signed in */
  private async newVisit(visitor: Visitor, session?: object): Promise<ConsolePage> {
    const context = await this.profileOf(visitor);
    await context.setStorageState({
      cookies: [],
      origins: session
        ? [
            {
              origin: this.info.supabase_url,
              localStorage: [{ name: "store-console-session", value: JSON.stringify(session) }],
            },
          ]
        : [],
    });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const open = async (route: string) => {
      // A new load. Otherwise, the previous page would count as the loaded one.
      await page.goto("about:blank");
      await page.goto(`${this.info.console_url}#${route}`);
      await settle(page);
    };
    const follow = async (route: string) => {
      const shown = page.url().split("#")[1]?.split("?")[0];
      // The page that is left would count as the loaded one, and the same page with another tab or filter keeps its
      // heading.
      if (shown === undefined || shown === route.split("?")[0]) return open(route);
      const heading = await page.locator("h1").first().elementHandle();
      await page.evaluate((to) => location.assign(`#${to}`), route);
      await page.waitForFunction((left) => !left?.isConnected, heading, { polling: 100 });
      await settle(page);
    };
    const close = async () => {
      this.visits.delete(visit);
      await context.setOffline(false);
      await (visitor.newProfile ? context : page).close();
    };
    const visit = { page, context, complaints, open, follow, close };
    this.visits.add(visit);
    return visit;
  }

  /** A visitor at the sign-in page. */
  async visit(visitor: Visitor = {}): Promise<ConsolePage> {
    const visit = await this.newVisit(visitor);
    await visit.page.goto(this.info.console_url);
    await settle(visit.page);
    return visit;
  }

  /** A visitor who has signed in as the administrator with the form, with a new session. */
  async signInAsAdministrator(visitor: Visitor = {}): Promise<ConsolePage> {
    const visit = await this.visit(visitor);
    await signIn(visit.page, administrator, password);
    await visit.page.getByRole("navigation").waitFor({ state: "attached" });
    return visit;
  }

  /** A visitor with the shared session of the administrator and an empty page. */
  async visitAsAdministrator(visitor: Visitor = {}): Promise<ConsolePage> {
    this.session ??= await this.newSession(administrator);
    return this.newVisit(visitor, this.session);
  }
}

/** Shows the next page of a list, which begins with another row. */
export async function turnPage(page: Page): Promise<void> {
  const first = page.locator("tbody tr").first();
  const before = await first.innerText();
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(() => first.innerText()).not.toBe(before);
  await settle(page);
}

/** A problem document for `route.fulfill`. */
export function problem(status: number, code: string, title: string, detail: string) {
  return {
    status,
    contentType: "application/problem+json",
    body: JSON.stringify({ type: "x", title, status, detail, code, request_id: "r" }),
  };
}
