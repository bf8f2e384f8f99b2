import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { newPhone, settleH5 } from "../../scripts/pictures/h5_visit.ts";
import { complaintsOf, watchShifts } from "./browser.ts";
import { DemoSite } from "./demo_site.ts";

/** How the phone of a visitor is set up. */
export interface Phone {
  colorScheme?: "light" | "dark";
  locale?: string;
  /** The email address of a demo account that has signed in on this phone before. */
  member?: string;
  /** Whether the app keeps its files on the phone. */
  keepsFiles?: boolean;
}

/** A page of the H5 app, with what went wrong in it. */
export interface H5Page {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  /** Opens a page by its route, as `/orders?state=paid`, and waits until it has loaded. */
  open(route: string): Promise<void>;
}

/** Declines the payment that begins by itself when an order was placed, and opens the order. */
export async function openUnpaid(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Do not pay" }).click();
  await page.getByRole("link", { name: "View order" }).click();
  await page.getByRole("heading", { name: "Order", exact: true }).waitFor();
}

export class DemoH5 extends DemoSite {
  private readonly sessions = new Map<string, object>();
  private readonly contexts = new Set<BrowserContext>();

  async endVisits(): Promise<void> {
    for (const context of this.contexts) await context.close();
    this.contexts.clear();
  }

  /** A phone with a profile of its own, on which nothing of the app has been opened yet. */
  async phone({ colorScheme = "light", locale = "zh-CN", member, keepsFiles = false }: Phone = {}): Promise<H5Page> {
    const context = await newPhone(
      this.browser,
      this.info,
      { colorScheme, locale, ...(keepsFiles && { serviceWorkers: "allow" as const }) },
      member === undefined ? undefined : await this.sessionOf(member),
    );
    this.contexts.add(context);
    await watchShifts(context);
    const page = await context.newPage();
    const open = async (route: string) => {
      // Loads the app again, because settleH5 would accept the page that is left.
      await page.goto("about:blank");
      await page.goto(`${this.info.h5_url}#${route}`);
      await settleH5(page);
    };
    return { page, context, complaints: complaintsOf(page), open };
  }

  private async sessionOf(email: string): Promise<object> {
    const session = this.sessions.get(email) ?? (await this.newSession(email));
    this.sessions.set(email, session);
    return session;
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
