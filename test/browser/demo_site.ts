import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import type postgres from "postgres";
import { launchBrowser } from "../../scripts/pictures/console_visit.ts";
import { newSession } from "../../scripts/pictures/h5_visit.ts";
import type { StackInfo } from "../../scripts/ground/stack_file.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import { type CommandPlace, newCommandPlace } from "../stack/command.ts";
import { testContext } from "../support/context.ts";
import { connect } from "../support/index.ts";
import { copyDemoStore } from "../stack/demo_store.ts";

/** The password of every account of the demo company. */
export const password = "store-demo-2026";

/** A store with its demo month, started by the real command, and a browser that visits one of its sites. */
export class DemoSite {
  info!: StackInfo;
  sql!: postgres.Sql;
  browser!: Browser;
  private at!: CommandPlace;
  private readonly profiles = new Map<string, BrowserContext>();

  /** @param empty whether the store has no demo data */
  async start(empty: boolean): Promise<void> {
    this.at = empty ? await newCommandPlace() : await copyDemoStore(testContext().demoStore!);
    const { code, output } = await this.at.run("start", "--detach", ...(empty ? ["--no-demo"] : []));
    if (code !== 0) throw new Error(output);
    this.info = readStackFile(this.at.place)!;
    this.sql = connect(this.info.database_url);
    this.browser = await launchBrowser();
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.sql?.end();
    await this.at?.run("stop");
    await this.at?.remove();
  }

  /** Where the mails of the Auth server are. */
  get mails(): string {
    return this.at.place.mails;
  }

  /** Runs a scheduled job as its schedule does, without waiting for the next minute. */
  async runJob(name: string): Promise<void> {
    const [job] = await this.sql`select command from cron.job where jobname = ${name}`;
    await this.sql.unsafe(job!.command);
  }

  /** A browser profile. Visitors with the same settings share it, because the files of a site are loaded and compiled once for each profile. */
  async profile(setting: BrowserContextOptions): Promise<BrowserContext> {
    const key = JSON.stringify(setting);
    const profile = this.profiles.get(key) ?? (await this.browser.newContext(setting));
    this.profiles.set(key, profile);
    return profile;
  }

  /** A new session of an account of the demo company. */
  newSession(email: string): Promise<object> {
    return newSession(this.info, email, password);
  }
}
