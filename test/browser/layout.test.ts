import { expect, it } from "vitest";
import { demoConsole, problem } from "./demo_console.ts";

const demo = demoConsole();

it.each(["en-GB", "zh-CN"])("a list shows the corners of its frame (%s)", async (locale) => {
  const { page, open } = await demo.visitAsAdministrator({ locale });
  for (const route of ["/users", "/orders", "/activity"]) {
    await open(route);
    const box = page.locator(".scroll-box").first();
    // What is drawn in the first pixels of a round corner is not the head of the table.
    const isClipped = await box.evaluate((element) => {
      const frame = element.parentElement!;
      const { left, top } = frame.getBoundingClientRect();
      return [Number.parseFloat(getComputedStyle(frame).borderTopLeftRadius) > 1, document.elementFromPoint(left + 1, top + 1)?.closest("th") === null];
    });
    expect(isClipped, route).toEqual([true, true]);
  }
});

it("signals are looked for until there is one, however many orders have none", async () => {
  const { page, open } = await demo.visitAsAdministrator();
  const cursors: (string | null)[] = [];
  await page.route("**/adminapi/signal?*", (route) => {
    const cursor = new URL(route.request().url()).searchParams.get("cursor");
    cursors.push(cursor);
    return route.fulfill({ json: { list: [], next_cursor: cursor === "7" ? null : Number(cursor ?? 10) - 1, examined_to: null } });
  });
  await open("/signals");
  await page.getByText("There are no earlier signals.").waitFor();
  expect(cursors).toEqual([null, "9", "8", "7"]);
});

it("an error that the text explains has no request number, and an unexpected one has it", async () => {
  const { page, open } = await demo.visitAsAdministrator();
  for (const [status, code, shown] of [[422, "invalid_argument", 0], [500, "internal_error", 1]] as const) {
    await page.route("**/adminapi/product?*", (route) => route.fulfill(problem(status, code, "No list", "Try something else.")));
    await open("/products");
    await page.getByRole("alert").first().waitFor();
    expect(await page.getByRole("alert").locator("code").count(), code).toBe(shown);
    await page.unroute("**/adminapi/product?*");
  }
});
