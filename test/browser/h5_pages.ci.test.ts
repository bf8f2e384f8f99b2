import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { barriers, cutButtons, pagesIn, keepPicture, layoutShift, overflow } from "./browser.ts";
import { demoH5, type Phone } from "./demo_h5.ts";
import { addresses } from "./h5_pages/addresses.ts";
import { app } from "./h5_pages/app.ts";
import { articles } from "./h5_pages/articles.ts";
import { bill } from "./h5_pages/bill.ts";
import { cart } from "./h5_pages/cart.ts";
import { type Folder, type Look, screenshots } from "./h5_pages/folder.ts";
import { levels } from "./h5_pages/levels.ts";
import { members } from "./h5_pages/members.ts";
import { notices } from "./h5_pages/notices.ts";
import { orders } from "./h5_pages/orders.ts";
import { payments } from "./h5_pages/payments.ts";
import { person_requests } from "./h5_pages/person_requests.ts";
import { plans } from "./h5_pages/plans.ts";
import { posters } from "./h5_pages/posters.ts";
import { products } from "./h5_pages/products.ts";
import { prospects } from "./h5_pages/prospects.ts";
import { real_names } from "./h5_pages/real_names.ts";
import { refunds } from "./h5_pages/refunds.ts";
import { release } from "./h5_pages/release.ts";
import { team } from "./h5_pages/team.ts";
import { withdrawals } from "./h5_pages/withdrawals.ts";

// Each folder of pages has a file in h5_pages. They share one stack, and the folders of each setting share two phones.
const folders: Record<string, Folder> = {
  members,
  articles,
  products,
  cart,
  orders,
  payments,
  refunds,
  addresses,
  person_requests,
  team,
  posters,
  plans,
  release,
  prospects,
  bill,
  withdrawals,
  real_names,
  levels,
  notices,
};

const demo = demoH5();

rmSync(screenshots, { recursive: true, force: true });
mkdirSync(screenshots, { recursive: true });

/** Search engines call a page good below 0.1. */
const mostShift = 0.05;

const phones: Record<string, Phone> = {
  "chinese light": { locale: "zh-CN", colorScheme: "light" },
  "english dark": { locale: "en-GB", colorScheme: "dark" },
  "chinese dark": { locale: "zh-CN", colorScheme: "dark" },
  "english light": { locale: "en-GB", colorScheme: "light" },
};

it("every folder of pages has a file of tests", () => {
  const pages = join(import.meta.dirname, "../../apps/h5/src/pages");
  const withPages = readdirSync(pages).filter((folder) =>
    readdirSync(join(pages, folder)).some((file) => file.endsWith("_page.tsx")),
  );
  expect(withPages.sort()).toEqual(Object.keys(folders).sort());
});

describe.each(Object.entries(phones).map((entry, setting) => [...entry, setting] as const))(
  "the pages, %s",
  (name, phone, setting) => {
    it("passes axe, fits 360 pixels with whole buttons, hardly moves while it loads, and logs no errors", async () => {
      const visitor = await demo.phone(phone);
      const member = await demo.phone({ ...phone, member: "chen@example.com" });
      const look: Look = async (page, title) => {
        expect.soft(await overflow(page), `${title}: pixels too wide`).toBeLessThanOrEqual(0);
        expect.soft(await cutButtons(page), `${title}: cut off`).toEqual([]);
        const { sum, largest } = await layoutShift(page);
        expect.soft(sum, `${title}: ${largest.join(", ")}`).toBeLessThan(mostShift);
        expect.soft(await barriers(page), title).toEqual([]);
        await keepPicture(page, join(screenshots, `${title} ${name}.png`));
      };

      for (const folder of pagesIn(setting, Object.keys(phones).length, [...Object.values(folders), app])) {
        await folder.visit?.(visitor, look, demo);
        for (const [title, route] of Object.entries(folder.visitor ?? {})) {
          await visitor.open(route);
          await look(visitor.page, `visitor ${title}`);
        }
        const routes = typeof folder.member === "function" ? await folder.member(demo.sql) : (folder.member ?? {});
        for (const [title, route] of Object.entries(routes)) {
          await member.open(route);
          await look(member.page, title);
        }
      }
      // The order of another member and an order that does not exist get the same response.
      const expected = /response: 404 .*\/api\/order\/1(\/refund)?$|console: Failed to load resource.* 404/;
      expect([...visitor.complaints, ...member.complaints].filter((complaint) => !expected.test(complaint))).toEqual(
        [],
      );
    });
  },
);

describe("the H5 app", () => app.tests?.(demo));
for (const [name, { tests }] of Object.entries(folders)) if (tests) describe(`the pages of ${name}`, () => tests(demo));
