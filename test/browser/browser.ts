import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { testSize } from "../support/index.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The findings of axe, one line each, of every severity. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  // Without frames, because the preview of an article runs no scripts, including axe.
  const results = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"], iframes: false }));
  return results.violations.map(({ id, impact, help, nodes }) => `${impact} ${id}: ${help} (${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")})`);
}

/** The number of pixels by which a page is wider than its window. */
export const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Collects the errors of a page: of scripts, of the browser's console (including violations of the content security policy), and of requests. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("requestfailed", (request) => {
    // Leaving or reloading a page aborts its requests.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") complaints.push(`request: ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`response: ${response.status()} ${response.url()}`);
  });
  return complaints;
}

/**
 * The pages to open in one of several settings: each page in as many settings as `testSize.pageSettings` says. The settings take turns, so
 * that every page and every setting occurs.
 */
export function inTurn<T>(pages: T[], setting: number, settings: number): T[] {
  return pages.filter((_, index) => (index + setting) % settings < testSize.pageSettings);
}
