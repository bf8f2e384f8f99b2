import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import adminDocument from "../../functions/adminapi/openapi.json" with { type: "json" };
import memberDocument from "../../functions/api/openapi.json" with { type: "json" };
import { stack } from "../support/index.ts";
import { launchTestBrowser } from "./test_browser.ts";
import { complaintsOf } from "./browser.ts";

let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  page = await browser.newPage();
  complaints = complaintsOf(page);
  await page.goto(stack().docs_url);
});
afterEach(() => page?.close());

/** The operations and messages of a document, in the notation of the page. */
const operationsOf = ({ paths, webhooks }: { paths: Record<string, object>; webhooks?: Record<string, object> }) =>
  Object.entries({ ...paths, ...webhooks })
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .sort();

/**
 * The operations on the page, after this one has appeared. The page draws those of a long document only while they are
 * in sight.
 */
async function listed(operation: string): Promise<string[]> {
  const [method, path] = operation.split(" ");
  await page.locator(`.opblock-${method!.toLowerCase()} [data-path="${path}"]`).first().waitFor();
  const found = new Set<string>();
  for (let isAtEnd = false; !isAtEnd;) {
    const inSight = await page.locator(".opblock-summary").evaluateAll((blocks) =>
      blocks.map((block) => {
        const path = block.querySelector("[data-path]")?.getAttribute("data-path");
        return `${block.querySelector(".opblock-summary-method")?.textContent} ${path}`;
      }),
    );
    for (const each of inSight) found.add(each);
    isAtEnd = await page.evaluate(async () => {
      const wasAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      scrollBy(0, innerHeight / 2);
      // Drawn two frames later.
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
      return wasAtEnd;
    });
  }
  return [...found].sort();
}

describe("the documentation page in a browser", () => {
  it("lists every operation of both documents without errors", async () => {
    expect(await listed("GET /api/user")).toEqual(operationsOf(memberDocument));
    await page.getByLabel("Select a definition").selectOption("Administration API");
    expect(await listed("GET /adminapi/overview")).toEqual(operationsOf(adminDocument));
    expect(complaints).toEqual([]);
  });

  it("calls an operation of the running stack", async () => {
    const operation = page.locator(".opblock", { has: page.locator('[data-path="/api/health"]') });
    await operation.locator(".opblock-summary").click();
    await operation.getByRole("button", { name: "Try it out" }).click();
    await operation.getByRole("button", { name: "Execute" }).click();
    await operation.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor();
    expect(complaints).toEqual([]);
  });
});
