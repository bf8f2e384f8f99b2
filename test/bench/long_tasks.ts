import type { BrowserContext, Page } from "playwright-core";
import { settleH5 } from "../../scripts/pictures/h5_visit.ts";

/** The tasks of a page that held up the phone for more than 50 ms each, in milliseconds. */
export interface LongTasks {
  count: number;
  longest: number;
  sum: number;
}

/** How many times as slow as this machine the phone is. */
const slowness = 4;

/** Opens a page of the H5 app on a slow phone, and measures its long tasks until it is quiet. */
export async function measureLongTasks(phone: BrowserContext, address: string): Promise<LongTasks> {
  const page = await phone.newPage();
  try {
    await page.addInitScript(watchLongTasks);
    await (await phone.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: slowness });
    await page.goto(address);
    await settleH5(page);
    await page.waitForLoadState("networkidle");
    return await readLongTasks(page);
  } finally {
    await page.close();
  }
}

function watchLongTasks(): void {
  const tasks: number[] = [];
  Object.assign(window, { tasks });
  new PerformanceObserver((list) => void tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: "longtask",
    buffered: true,
  });
}

async function readLongTasks(page: Page): Promise<LongTasks> {
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
  return { count: tasks.length, longest: Math.max(0, ...tasks), sum: tasks.reduce((sum, task) => sum + task, 0) };
}
