import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type postgres from "postgres";
import { launchBrowser, settle, signIn } from "../../scripts/pictures/console_visit.ts";
import type { StackInfo } from "../../scripts/stack/stack.ts";
import { type CommandPlace, newCommandPlace } from "../stack/command.ts";
import { connect } from "../support/index.ts";
import { complaintsOf } from "./browser.ts";

/** What every account of the demo company signs in with. */
export const password = "store-demo-2026";
export const administrator = "admin@example.com";

/** How a visitor's browser is set up. */
export interface Visitor {
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  locale?: string;
  timezoneId?: string;
}

/** A page of the console, with what went wrong in it. */
export interface ConsolePage {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  /** Opens a page by its route, as `/users?search=10007`, and waits until it stands. */
  open(route: string): Promise<void>;
}

/** A stack with its demo month, started by the real command, and a browser that visits its console. */
export class DemoConsole {
  private constructor(private readonly at: CommandPlace, readonly info: StackInfo, readonly sql: postgres.Sql, private readonly browser: Browser) {}

  /** @param options of `npm start`: `--no-demo` for an empty store */
  static async start(...options: string[]): Promise<DemoConsole> {
    const at = await newCommandPlace();
    const { code, output } = await at.run("start", "--detach", ...options);
    if (code !== 0) throw new Error(output);
    const info = JSON.parse(readFileSync(at.place.stackFile, "utf8")) as StackInfo;
    return new DemoConsole(at, info, connect(info.database_url), await launchBrowser());
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.sql.end();
    await this.at.run("stop");
    await this.at.remove();
  }

  /** A new browser profile, with nothing opened yet. @param session of an account that has signed in there before */
  private async newVisit({ width = 1280, height = 800, colorScheme = "light", locale = "en-GB", timezoneId = "Asia/Shanghai" }: Visitor, session?: object): Promise<ConsolePage> {
    const context = await this.browser.newContext({
      viewport: { width, height }, colorScheme, locale, timezoneId, reducedMotion: "reduce",
      ...(session && { storageState: { cookies: [], origins: [{ origin: this.info.supabase_url, localStorage: [{ name: "store-console-session", value: JSON.stringify(session) }] }] } }),
    });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const open = async (route: string) => {
      // A new load, as the page that is left stands, too, and would be taken for the one that is opened.
      await page.goto("about:blank");
      await page.goto(`${this.info.console_url}#${route}`);
      await settle(page);
    };
    return { page, context, complaints, open };
  }

  /** A new browser profile at the sign-in page, once it stands. */
  async visit(visitor: Visitor = {}): Promise<ConsolePage> {
    const visit = await this.newVisit(visitor);
    await visit.page.goto(this.info.console_url);
    await settle(visit.page);
    return visit;
  }

  /** A visitor who has just signed in as the administrator by the form, and sees the first page. */
  async signInAsAdministrator(visitor: Visitor = {}): Promise<ConsolePage> {
    const visit = await this.visit(visitor);
    await signIn(visit.page, administrator, password);
    await visit.page.getByRole("navigation").waitFor({ state: "attached" });
    return visit;
  }

  /** A visitor who has signed in as the administrator before, and has opened nothing yet. */
  async visitAsAdministrator(visitor: Visitor = {}): Promise<ConsolePage> {
    const reply = await fetch(`${this.info.supabase_url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "content-type": "application/json", apikey: this.info.publishable_key },
      body: JSON.stringify({ email: administrator, password }),
    });
    if (!reply.ok) throw new Error(await reply.text());
    return this.newVisit(visitor, await reply.json() as object);
  }
}

/** What a page is answered instead of by the store, as `route.fulfill` takes it. */
export function problem(status: number, code: string, title: string, detail: string) {
  return { status, contentType: "application/problem+json", body: JSON.stringify({ type: "x", title, status, detail, code, request_id: "r" }) };
}
