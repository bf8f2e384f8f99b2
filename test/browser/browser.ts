import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type axe from "axe-core";
import type { BrowserContext, Page, Response } from "playwright-core";
import { isTriedIn, longFormOnly, testSize } from "../support/index.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The findings of axe, one line each, of every severity. */
export async function barriers(page: Page): Promise<string[]> {
  // What fades in has less contrast until it is there.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  );
  await page.evaluate(axeSource);
  // Without frames, because the preview of an article runs no scripts, including axe.
  const results = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"], iframes: false }),
  );
  return results.violations.map(
    ({ id, impact, help, nodes }) =>
      `${impact} ${id}: ${help} (${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")})`,
  );
}

/**
 * Keeps a picture of a whole page for people to look at. Only the long form does: drawing a page takes as long as the
 * tests of it.
 */
export async function keepPicture(page: Page, path: string): Promise<void> {
  if (longFormOnly === undefined) await page.screenshot({ path, fullPage: true });
}

/** The number of pixels by which a page is wider than its window. */
export const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Collects the errors of a page: of scripts, of the browser's console (including violations of the content security
 * policy), and of requests.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("console", (message) => {
    // Most phones of the tests keep no files (scripts/pictures/h5_visit.ts).
    if (message.text() === "Service Worker registration blocked by Playwright") return;
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("requestfailed", (request) => {
    // Leaving or reloading a page aborts its requests.
    if (request.failure()?.errorText !== "net::ERR_ABORTED")
      complaints.push(`request: ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`response: ${response.status()} ${response.url()}`);
  });
  return complaints;
}

/**
 * The pages to open in one of several settings: each page in as many settings as `testSize.pageSettings` says, and its
 * neighbours in others, so that every page and every setting occurs.
 */
export function pagesIn<T>(setting: number, settings: number, pages: T[]): T[] {
  return pages.filter((_, place) => isTriedIn(setting, place, settings, testSize.pageSettings));
}

/**
 * The buttons whose text is cut off: by their own edge, by a frame around them, or by the window. What lies in a row
 * that scrolls can be reached.
 */
export const cutButtons = (page: Page) =>
  page.locator("button, [role=button], a[data-button]").evaluateAll((buttons) =>
    buttons
      .filter((button) => button.checkVisibility())
      .flatMap((button) => {
        const name = button.textContent.trim();
        const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
          const range = document.createRange();
          range.selectNodeContents(text);
          const { left, right, width } = range.getBoundingClientRect();
          // A text of one pixel is for screen readers.
          if (
            text.textContent!.trim() === "" ||
            (text.parentElement!.clientWidth <= 1 && getComputedStyle(text.parentElement!).position === "absolute")
          )
            continue;
          const isOutside = (edges: { left: number; right: number }) =>
            width > 0 && (left < edges.left - 1 || right > edges.right + 1);
          let frame = text.parentElement;
          for (
            ;
            frame && !["auto", "scroll"].includes(getComputedStyle(frame).overflowX);
            frame = frame.parentElement
          ) {
            const cuts = frame === button || ["hidden", "clip"].includes(getComputedStyle(frame).overflowX);
            if (cuts && isOutside(frame.getBoundingClientRect())) return [name];
          }
          if (!frame && isOutside({ left: 0, right: innerWidth })) return [name];
        }
        return [];
      }),
  );

/** What a page loads until it is quiet: the bytes of all bodies, compressed, and the addresses of the requests. */
export async function loadOf(page: Page, open: () => Promise<void>): Promise<{ bytes: number; requests: string[] }> {
  const responses: Response[] = [];
  page.on("response", (response) => responses.push(response));
  await open();
  await page.waitForLoadState("networkidle");
  const sizes = await Promise.all(
    responses.map(async (response) => (response.status() < 300 ? gzipSync(await response.body()).length : 0)),
  );
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), requests: responses.map((response) => response.url()) };
}

/**
 * Makes the uploads of a page as slow as on a bad line, and collects what its progress bar says.
 * @returns a function that ends this, and returns the different parts between nothing and all, in the sequence in which
 * they were shown
 */
export async function watchUploads(page: Page): Promise<() => Promise<number[]>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 150_000,
  });
  await page.evaluate(() => {
    const parts = new Set<number>();
    Object.assign(window, { parts });
    new MutationObserver(() => {
      const bar = document.querySelector("[role=progressbar][aria-valuenow]");
      if (bar) parts.add(Number(bar.ariaValueNow) / Number(bar.ariaValueMax));
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["aria-valuenow"] });
  });
  return async () => {
    await session.detach();
    const parts = await page.evaluate(() => [...(window as unknown as { parts: Set<number> }).parts]);
    return parts.filter((part) => part > 0 && part < 1);
  };
}

/** Counts how far the content of the pages of a browser profile moves while they load (cumulative layout shift). */
export const watchShifts = (context: BrowserContext) =>
  context.addInitScript(() => {
    const shifts: { value: number; moved: string[] }[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null }[];
      })[]) {
        if (!entry.hadRecentInput)
          shifts.push({
            value: entry.value,
            moved: entry.sources.map(({ node }) =>
              (node instanceof Element ? node.outerHTML : String(node?.textContent)).slice(0, 80),
            ),
          });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** How far the content of a page has moved since it was opened, and the largest movement. */
export async function layoutShift(page: Page): Promise<{ sum: number; largest: string[] }> {
  const shifts = await page.evaluate(
    () => (window as unknown as { shifts: { value: number; moved: string[] }[] }).shifts,
  );
  const [largest] = shifts.toSorted((a, b) => b.value - a.value);
  return { sum: shifts.reduce((sum, { value }) => sum + value, 0), largest: largest?.moved ?? [] };
}
