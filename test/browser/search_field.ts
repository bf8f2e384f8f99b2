import { expect } from "vitest";
import type { ConsolePage } from "./demo_console.ts";

/** Opens the search by the keyboard. */
export async function openSearch(
  { page }: ConsolePage,
  open: () => Promise<void> = () => page.keyboard.press("Control+k"),
) {
  await open();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("combobox");
}

/** The same, types, and waits for what is found. */
export async function typeInSearch(visit: ConsolePage, text: string) {
  const { page } = visit;
  await openSearch(visit);
  const answer = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/adminapi/search"));
  await page.keyboard.type(text);
  await answer;
}

/** The line that Enter opens. */
export const chosen = ({ page }: ConsolePage) =>
  page.locator("button").and(page.getByRole("option", { selected: true }));
