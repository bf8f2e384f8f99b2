import { chromium } from "playwright-core";
import { browserPath } from "../../ground/browser_install.ts";
import { Problem } from "../../ground/problem.ts";
import { readStackFile, type StackInfo } from "../../ground/stack_file.ts";
import { newPhone, newSession } from "../../pictures/h5_visit.ts";
import { type LongTasks, measureLongTasks } from "../long_tasks.ts";
import { median } from "../statistics.ts";
import type { Comparison, Workload } from "../workload.ts";

/** The pages, as a member sees them. Everybody sees the first ones. */
const pages = {
  "first page": "/",
  product: "/products/1",
  cart: "/cart",
  checkout: "/checkout?product=1&quantity=1",
  orders: "/orders",
  order: "/orders/1",
  address: "/addresses/new",
  me: "/me",
  notices: "/notices",
  withdrawals: "/withdrawals",
  "new withdrawal": "/withdrawals/new",
  cycle: "/cycle",
  prospects: "/prospects",
  points: "/points",
  bill: "/bill",
  statement: "/statement",
  levels: "/levels",
  team: "/team",
  people: "/team/people",
  "team orders": "/team/orders",
  poster: "/poster",
};

/** How long a task of a page should take at most, in milliseconds. */
const limit = 200;

const member = "chen@example.com";

/** The running local stack with its demo company. @throws Problem if there is none */
export function requireDemoStack(): StackInfo {
  const stack = readStackFile();
  if (!stack?.users.some(({ email }) => email === member))
    throw new Problem(
      "The pages of the H5 app need a running local stack with the demo company.",
      "Start it with `npm start`.",
    );
  return stack;
}

const comparisonOf = (name: string, rounds: LongTasks[]): Comparison => {
  const longest = median(rounds.map((round) => round.longest));
  const count = median(rounds.map((round) => round.count));
  const sum = median(rounds.map((round) => round.sum));
  return {
    name,
    ours: longest,
    baseline: limit,
    unit: "ms",
    ratio: longest / limit,
    better: "lower",
    aim: 1,
    note: `${count} tasks above 50 ms, ${Math.round(sum)} ms in all`,
  };
};

/** Each round opens a page on a phone that has never opened the app. */
export const h5: Workload = {
  name: "h5",
  title: `The processor time of the longest task of pages of the H5 app on a phone that is four times as slow, beside ${limit} ms (only if it is named)`,
  async run({ size, show }) {
    const stack = requireDemoStack();
    const { email, password } = stack.users.find((user) => user.email === member)!;
    const session = await newSession(stack, email, password);
    // Not launchBrowser: it does not optimize scripts. The sandbox needs privileges that containers lack.
    const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      const comparisons: Comparison[] = [];
      for (const [name, route] of Object.entries(pages)) {
        const rounds: LongTasks[] = [];
        for (let round = 1; round <= size.rounds; round += 1) {
          show(`${name}, round ${round} of ${size.rounds}`);
          const phone = await newPhone(browser, stack, { locale: "zh-CN" }, session);
          rounds.push(await measureLongTasks(browser, phone, `${stack.h5_url}#${route}`));
          await phone.close();
        }
        comparisons.push(comparisonOf(name, rounds));
      }
      return comparisons;
    } finally {
      await browser.close();
    }
  },
};
