import type { Browser, BrowserContext } from "playwright-core";
import { settleH5 } from "../pictures/h5_visit.ts";

/** The tasks of a page that hold up the phone for more than 50 ms each, in milliseconds. */
export interface LongTasks {
  count: number;
  longest: number;
  sum: number;
}

/** How many times as slow as this machine the phone is. */
const slowness = 4;

/** An event of a trace. Durations are microseconds; tdur is the processor time of the thread. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
  args?: { name?: string };
}

/**
 * Opens a page of the H5 app, and measures its tasks until it is quiet. It takes their processor time and not their
 * duration, because a task of a machine that does other things waits longer than it runs.
 */
export async function measureLongTasks(browser: Browser, phone: BrowserContext, address: string): Promise<LongTasks> {
  const page = await phone.newPage();
  try {
    await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
    await page.goto(address);
    await settleH5(page);
    await page.waitForLoadState("networkidle");
    const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
    return longTasksOf(traceEvents);
  } finally {
    await page.close();
  }
}

function longTasksOf(events: TraceEvent[]): LongTasks {
  const threads = events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const tasksOf = ({ pid, tid }: TraceEvent) =>
    events
      .filter((event) => event.name === "RunTask" && event.pid === pid && event.tid === tid)
      .map(({ tdur = 0 }) => (tdur / 1000) * slowness);
  const sumOf = (tasks: number[]) => tasks.reduce((sum, task) => sum + task, 0);
  // A browser has renderers that show nothing.
  const [tasks = []] = threads.map(tasksOf).sort((a, b) => sumOf(b) - sumOf(a));
  if (sumOf(tasks) === 0) throw new Error("The trace of the browser has no processor time.");
  const long = tasks.filter((task) => task > 50);
  return { count: long.length, longest: Math.max(...tasks), sum: sumOf(long) };
}
