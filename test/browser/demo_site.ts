import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import type postgres from "postgres";
import { newSession } from "../../scripts/pictures/h5_visit.ts";
import type { StackInfo } from "../../scripts/ground/stack_file.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import { newCommandPlace } from "../../scripts/testing/command.ts";
import type { LentSite } from "../stack/demo_sites.ts";
import { testContext } from "../../scripts/testing/context.ts";
import { connect } from "../support/index.ts";
import { refusingEmptyWrites } from "../support/writes_of_demo_data.ts";
import { launchTestBrowser } from "./test_browser.ts";

/** The password of every account of the demo company. */
export const password = "store-demo-2026";

/** The files that a worker runs share a browser, and the number of the store that the last one had. */
let browser: Promise<Browser> | undefined;
let last: number | undefined;

/** Starts a store without demo data by the real command. */
async function startEmptySite(): Promise<Site> {
  const at = await newCommandPlace();
  const { code, output } = await at.run("start", "--detach", "--no-demo");
  if (code !== 0) throw new Error(output);
  const giveBack = async () => {
    await at.run("stop");
    await at.remove();
  };
  return { info: readStackFile(at.place)!, mails: at.place.mails, giveBack };
}

/** Takes a running store with its demo month (demo_sites.ts). */
async function borrowSite(): Promise<Site> {
  const sites = testContext().demoSites!;
  const reply = await fetch(`${sites}?last=${last}`, { method: "POST" });
  if (!reply.ok) throw new Error(`No demo store could be started: ${await reply.text()}`);
  const { number, ...site } = (await reply.json()) as LentSite;
  last = number;
  return { ...site, giveBack: async () => void (await fetch(`${sites}${number}`, { method: "DELETE" })) };
}

/** A running store, and the folder of the mails of its Auth server. */
interface Site extends Pick<LentSite, "info" | "mails"> {
  giveBack(): Promise<void>;
}

/** A store with its demo month, and a browser that visits one of its sites. */
export class DemoSite {
  info!: StackInfo;
  /** Where the mails of the Auth server are. */
  mails!: string;
  sql!: postgres.Sql;
  browser!: Browser;
  private giveBack?: () => Promise<void>;
  private readonly profiles = new Map<string, BrowserContext>();

  /** @param empty whether the store has no demo data */
  async start(empty: boolean): Promise<void> {
    ({ info: this.info, mails: this.mails, giveBack: this.giveBack } = await (empty ? startEmptySite() : borrowSite()));
    this.sql = refusingEmptyWrites(connect(this.info.database_url));
    this.browser = await (browser ??= launchTestBrowser());
  }

  async stop(): Promise<void> {
    for (const context of this.browser?.contexts() ?? []) await context.close();
    await this.sql?.end();
    await this.giveBack?.();
  }

  /** Runs a scheduled job as its schedule does, without waiting for the next minute. */
  async runJob(name: string): Promise<void> {
    const [job] = await this.sql`select command from cron.job where jobname = ${name}`;
    await this.sql.unsafe(job!.command);
  }

  /**
   * A browser profile. Visitors with the same settings share it, because the files of a site are loaded and compiled
   * once for each profile.
   */
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
