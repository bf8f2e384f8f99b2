import { describe, expect, it } from "vitest";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { demoConsole } from "./demo_console.ts";
import { barriers } from "./browser.ts";

const demo = demoConsole();

describe("the plan", () => {
  it("can be simulated over the business days of the overview without changing anything", async () => {
    const visit = await demo.visitAsAdministrator();
    const before =
      await demo.sql`select count(*) as bills, (select count(*) from app.commission_plans) as plans from app.user_bill`;
    await visit.open("/plan");
    const request = visit.page.waitForRequest("**/adminapi/hjf/simulate");
    await visit.page.getByRole("button", { name: "Simulate the last 30 days" }).click();
    const [first] =
      await demo.sql`select (app.business_day(now()) - 29)::timestamp at time zone time_zone as day from app.settings`;
    expect(new Date((await request).postDataJSON().from)).toEqual(first!.day);
    await visit.page.getByText("Top earners under the draft").waitFor();
    // The plan by which all orders were paid pays what was paid.
    const totals = visit.page.getByRole("group", { name: "Simulation" });
    expect(
      await totals
        .getByRole("row", { name: /^Commission / })
        .first()
        .getByRole("cell")
        .last()
        .innerText(),
    ).toBe("0.00");
    expect(
      await demo.sql`select count(*) as bills, (select count(*) from app.commission_plans) as plans from app.user_bill`,
    ).toEqual(before);
  });

  it("can be changed, and an order paid afterwards is settled by the new version", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    // The referrer has no cycle yet, so the first one starts under the new plan.
    const [first] = await demo.sql`
      select o.id, o.referrer_uid, o.queue_base from app.orders as o
      where o.state = 'unpaid' and o.queue_base > 0 and not exists (select from app.settlements as s where s.earner_uid = o.referrer_uid)
        and exists (select from app.orders as r where r.uid = o.referrer_uid and r.paid_at is not null and r.queue_units > 0 and r.refund_status <> 2)
      order by o.id limit 1`;
    expect(first, "an unpaid order whose referrer may earn and has no cycle yet").toBeDefined();

    await open("/plan");
    await page.getByLabel("People per cycle").fill("2");
    await page.getByLabel("Place 1").fill("10");
    await page.getByLabel("Place 2").fill("90");
    // The store computes the maximum cost during the edit.
    await page.getByText("90%").first().waitFor();
    await page.getByText("3,240.00").first().waitFor();
    await page.getByRole("button", { name: "Save as a new version" }).click();
    const dialog = page.getByRole("dialog");
    // The confirm dialog compares the settings and the cost of the most expensive order.
    const row = (name: string) => dialog.getByRole("row", { name }).getByRole("cell").allInnerTexts();
    await expect.poll(() => row("People per cycle")).toEqual(["People per cycle", "3", "2"]);
    await expect
      .poll(() => row("Ratio of each place"))
      .toEqual(["Ratio of each place", "20% · 30% · 50%", "10% · 90%"]);
    await dialog.getByText("One order can pay 90% of its base").waitFor();
    await expect.poll(() => row("Commission share of price")).toEqual(["Commission share of price", "50%", "90%"]);
    expect(await dialog.getByRole("row", { name: "Commission scope" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Put in force" }).click();
    await page.getByText("Version 2 in force").waitFor();
    const [plan] =
      await demo.sql`select people_per_cycle, tier_ratios from app.commission_plans order by version desc limit 1`;
    expect(plan).toMatchObject({ people_per_cycle: 2, tier_ratios: ["0.10000", "0.90000"] });

    await open(`/orders/${first!.id}`);
    await page.getByRole("button", { name: "Mark as paid" }).click();
    await page.getByRole("dialog").getByLabel("Payment reference").fill(`console-${first!.id}`);
    await page.getByRole("dialog").getByRole("button", { name: "Mark as paid" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expect
      .poll(
        async () =>
          (await demo.sql`select ratio, cycle_plan_version from app.settlements where order_id = ${first!.id}`)[0],
      )
      .toMatchObject({ ratio: "0.10000", cycle_plan_version: 2 });
    await page.reload();
    await page.getByText("place 1 of cycle 1, plan version 2").waitFor();
  });

  it("shows the errors of an invalid draft, and keeps the input for a later visit", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/plan");
    await page.getByLabel("Place 1").fill("60");
    await page.getByLabel("Payout cap").fill("40");
    await page.getByRole("alert").getByText("The commission plan is not valid").waitFor();
    // Also at the field, until it is valid.
    expect(await page.getByLabel("Place 1").getAttribute("aria-invalid")).toBe("true");
    await page.getByText("every ratio is between 0 and the payout cap").nth(1).waitFor();
    // As much as the other place pays.
    await page.getByLabel("Payout cap").fill("90");
    await page.getByText("For one unit of queue goods").waitFor();
    await page.getByRole("alert").filter({ hasText: "The commission plan is not valid" }).waitFor({ state: "hidden" });
    expect(await page.getByLabel("Place 1").getAttribute("aria-invalid")).not.toBe("true");
    await page.getByLabel("Payout cap").fill("40");
    await page.getByRole("alert").getByText("The commission plan is not valid").waitFor();
    await open("/users");
    await open("/plan");
    await page.getByText("Your unsaved changes were restored.").waitFor();
    expect(await page.getByLabel("Place 1").inputValue()).toBe("60 %");
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await page.getByLabel("Place 1").inputValue()).not.toBe("60 %");
    // What was discarded is no change, and can be entered again.
    const save = page.getByRole("button", { name: "Save as a new version" });
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.getByLabel("Place 1").fill("60");
    await expect.poll(() => save.isDisabled()).toBe(false);
    await page.getByRole("button", { name: "Discard" }).waitFor({ state: "hidden" });
    await page.evaluate(() => sessionStorage.clear());
  });

  it("shows an error that only saving reveals at its field, and closes the dialog", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/plan");
    await page.getByLabel("Place 1").fill("95");
    await page.getByLabel("Place 1").blur();
    // Another administrator lowers the cap after this page has read the plan.
    await demo.sql`select from app.create_plan('{"payout_cap": 0.9}', null, now())`;
    try {
      await page.getByRole("button", { name: "Save as a new version" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).click();
      await page.getByText("every ratio is between 0 and the payout cap").first().waitFor();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(await page.getByLabel("Place 1").getAttribute("aria-invalid")).toBe("true");
    } finally {
      await demo.sql`select from app.create_plan('{"payout_cap": 1}', null, now())`;
      await page.evaluate(() => sessionStorage.clear());
    }
  });

  it("treats an empty ratio as missing, not as 0, and keeps ratios while the number of people is typed", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/plan");
    const [before] = await demo.sql`select max(version) as version from app.commission_plans`;
    const ratios = () =>
      page
        .getByRole("group", { name: "Ratio of each place" })
        .getByRole("textbox")
        .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    const were = await ratios();
    await page.getByLabel("People per cycle").fill("");
    await page.getByLabel("People per cycle").pressSequentially("12");
    expect(await ratios()).toEqual([...were, ...Array<string>(12 - were.length).fill("")]);
    await page.getByText("Fill in the marked fields first.").waitFor();
    // The dialog does not open. The empty fields show errors instead.
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByText("Enter a number.").first().waitFor();
    expect(await page.getByText("Enter a number.").count()).toBe(12 - were.length);
    expect(await page.getByLabel("Place 12").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect((await demo.sql`select max(version) as version from app.commission_plans`)[0]).toEqual(before);
    await page.getByRole("button", { name: "Discard" }).or(page.getByLabel("People per cycle")).first().waitFor();
    await page.evaluate(() => sessionStorage.clear());
  });

  it("saves only changed fields, so that concurrent changes are kept", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/plan");
    await page.getByLabel("Points per 1.00").fill("2");
    await demo.sql`select from app.create_plan('{"payout_cap": 0.95}', null, now())`;
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(
      (
        await demo.sql`select points_per_brokerage, payout_cap from app.commission_plans order by version desc limit 1`
      )[0],
    ).toEqual({
      points_per_brokerage: "2.0000",
      payout_cap: "0.95000",
    });
  });
});

describe("the network", () => {
  it("is opened level by level with the keyboard, also as a table, and leads from the plan to what other depths would pay", async () => {
    const { page, open, follow, complaints } = await demo.visitAsAdministrator();
    // Who has the most members below, and who of the direct members has.
    const [top] =
      await demo.sql`select uid, umbrella_members as people, direct_members as direct from app.team_totals order by umbrella_members desc, uid limit 1`;
    const [child] = await demo.sql`
      select uid, direct_members as direct from app.team_totals where spread_uid = ${top!.uid} order by umbrella_members desc, uid desc limit 1`;
    await open(`/users/${top!.uid}?tab=network`);
    const tree = page.getByRole("tree", { name: "Tree" });
    await tree.getByRole("treeitem").nth(1).waitFor();
    expect(
      await page.getByRole("table", { name: "" }).first().locator('td[data-label="Members below"]').allTextContents(),
    ).toContain(String(top!.direct));
    const before = await tree.getByRole("treeitem").count();
    await tree.getByRole("treeitem").first().focus();
    for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    await expect
      .poll(() => tree.getByRole("treeitem").count())
      .toBe(before + Math.min(child!.direct, 20) + (child!.direct > 20 ? 1 : 0));
    expect(page.url()).toContain(`open=${child!.uid}`);
    const focused = tree.locator(":focus");
    expect(await focused.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowRight");
    expect(await focused.getAttribute("aria-level")).toBe("3");
    for (const key of ["ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
    await expect.poll(() => tree.getByRole("treeitem").count()).toBe(before);
    await page.getByRole("button", { name: "Show as table: Tree" }).click();
    await page
      .getByRole("group", { name: "Opened members as a table" })
      .getByRole("link", { name: String(child!.uid) })
      .waitFor();

    await follow("/plan");
    await page.getByRole("note").filter({ hasText: "This plan can pay beyond depth 3" }).getByRole("link").click();
    await page.getByRole("button", { name: "Depth 2", exact: true }).click();
    await page
      .getByRole("link", { name: String(top!.uid) })
      .first()
      .waitFor();
    expect(page.url()).toMatch(/people=1&depth=2/);
    await page.getByLabel("Maximum depth").fill("1");
    await page.getByRole("button", { name: "Simulate the last 90 days" }).click();
    const depths = page.getByRole("group", { name: "By depth" });
    // Points of the last column were paid beyond depth 1, those before would not be.
    await expect
      .poll(() =>
        depths
          .getByRole("row", { name: /^Depth 2 / })
          .last()
          .getByRole("cell")
          .allInnerTexts(),
      )
      .toEqual(["Depth 2", "0.00", "0.00", "0", expect.stringMatching(/[1-9]/)]);
    expect(complaints).toEqual([]);
  });
});

describe("the levels", () => {
  const names = async () =>
    (
      await demo.sql`select name, direct_points::integer as points from app.agent_levels where grade in (1, 2) order by grade`
    ).map((level) => ({ ...level }));
  /** A concurrent change by another administrator: a new name for grade 1. */
  const saveMeanwhile = (name: string) => demo.sql`
    select from app.set_agent_levels((
      select jsonb_agg(case when l ->> 'grade' = '1' then l || jsonb_build_object('name', ${name}::text) else l end) from jsonb_array_elements(app.levels_json()) as l
    ), null, now())`;

  it("can be merged with a concurrent change, after a reload too", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/levels");
    const directPoints = page.getByRole("textbox", { name: "Direct points of grade 2", exact: true });
    await directPoints.fill("850");
    await saveMeanwhile("Founder");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    const notice = page.getByRole("alert").filter({ hasText: "Somebody else saved" });
    await notice.getByText("Somebody else saved the levels").waitFor();
    const cells = (name: string) => notice.getByRole("row", { name }).getByRole("cell").allInnerTexts();
    await expect.poll(() => cells("Name of grade 1")).toEqual(["Name of grade 1", "Maker", "Founder", "Maker"]);
    await expect
      .poll(() => cells("Direct points of grade 2"))
      .toEqual(["Direct points of grade 2", "800", "800", "850"]);
    expect(await page.getByRole("button", { name: "Save as a new version" }).count()).toBe(0);

    await page.reload();
    await notice.getByText("Somebody else saved the levels").waitFor();
    await saveMeanwhile("Builder");
    await notice.getByRole("button", { name: "Reload theirs" }).click();
    await expect.poll(() => cells("Name of grade 1")).toEqual(["Name of grade 1", "Maker", "Builder", "Maker"]);
    await notice.getByRole("button", { name: "Apply my changes to theirs" }).click();
    await notice.waitFor({ state: "hidden" });
    expect(await page.getByRole("textbox", { name: "Name of grade 1", exact: true }).inputValue()).toBe("Builder");
    expect(await directPoints.inputValue()).toBe("850");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await names()).toEqual([
      { name: "Builder", points: 500 },
      { name: "Cloud store", points: 850 },
    ]);
    await page.getByText("No changes yet.").waitFor();
    expect(await notice.count()).toBe(0);
  });

  it("can be replaced by a concurrent change, which appears immediately if there are no unsaved changes", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/levels");
    const name = page.getByRole("textbox", { name: "Name of grade 1", exact: true });
    await name.fill("Mine");
    await saveMeanwhile("Theirs");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).click();
    await page.getByRole("button", { name: "Discard my changes" }).click();
    await expect.poll(() => name.inputValue()).toBe("Theirs");
    expect(await page.getByRole("button", { name: "Save as a new version" }).isDisabled()).toBe(true);
    await saveMeanwhile("Maker");
    await open("/levels");
    expect(await name.inputValue()).toBe("Maker");
    await name.fill("");
    await name.blur();
    await page.getByText("This field is required.").waitFor();
    await page.evaluate(() => sessionStorage.clear());
  });
});

describe("the settings", () => {
  it.each([
    ["en-GB", "Search settings", "unpaid", "Unpaid order limit", "Orders and payments", "No setting found."],
    ["zh-CN", "搜索设置", "未付款", "未付款订单上限", "订单与付款", "没有符合条件的设置。"],
  ])("are found by their index and their search (%s)", async (locale, search, part, found, section, nothing) => {
    const { page, open, complaints } = await demo.visitAsAdministrator({ locale });
    await open("/settings");
    const heading = page.getByRole("heading", { name: section, level: 2 });
    await page.getByRole("button", { name: section, exact: true }).click();
    const upperThird = page.viewportSize()!.height / 3;
    await expect.poll(async () => (await heading.boundingBox())!.y).toBeLessThan(upperThird);
    await page.getByRole("searchbox", { name: search }).fill(part);
    await page.getByLabel(found).waitFor();
    expect(await page.locator("[data-setting]").count()).toBeLessThan(6);
    // In the other language, and by the name of the API.
    await page.getByRole("searchbox", { name: search }).fill("max_unpaid_orders");
    await page.getByLabel(found).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("searchbox", { name: search }).fill("xyzzy");
    await page.getByText(nothing).waitFor();
    expect(complaints).toEqual([]);
  });

  it("give the pages of members a logo and a colour, and name what is neither", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const saved = async () => ({ ...(await demo.sql`select logo, colour from app.settings`)[0]! });
    await open("/settings");
    await page.getByRole("button", { name: "Edit the address" }).click();
    await page.getByLabel("Address", { exact: true }).fill("logo.png");
    await page.getByLabel("Main colour").fill("crimson");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Enter a URL that begins with http:// or https://.").waitFor();
    await page.getByText("Enter a colour as # and six hexadecimal digits").waitFor();
    await page.getByLabel("Address", { exact: true }).fill("https://shop.example.com/logo.svg");
    await page.getByLabel("Main colour").fill("#0B7285");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect(await saved()).toEqual({ logo: "https://shop.example.com/logo.svg", colour: "#0b7285" });
    // The form is replaced by one with the stored values. An upload that began before would end in the former.
    await expect.poll(() => page.getByLabel("Main colour").inputValue()).toBe("#0b7285");
    const logo = page.getByRole("group", { name: "Logo" });
    await logo
      .locator("input[type=file]")
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: plainPng(20, 90, 90, 60) });
    await logo.locator('img[src*="/pictures/"]').waitFor();
    await page.getByLabel("Main colour").fill("#c8102e");
    await page.getByRole("button", { name: "Save" }).click();
    const uploaded = expect.stringMatching(
      /\/storage\/v1\/object\/public\/pictures\/[0-9a-f-]{36}\/large\.jpg$/,
    ) as string;
    await expect.poll(saved).toEqual({ logo: uploaded, colour: "#c8102e" });
    await logo.getByRole("button", { name: "Remove picture 1" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(saved).toEqual({ logo: null, colour: "#c8102e" });
  });

  it("limit the unpaid orders of a member, and show errors at the field", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const limit = async () => (await demo.sql`select max_unpaid_orders from app.settings`)[0]!.max_unpaid_orders;
    await open("/settings");
    const field = page.getByLabel("Unpaid order limit");
    expect(await field.inputValue()).toBe(String(await limit()));
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
    const saveOf = (label: string) =>
      page
        .getByRole("region")
        .filter({ has: page.getByLabel(label) })
        .getByRole("button", { name: "Save" });
    await field.fill("");
    await saveOf("Unpaid order limit").click();
    await page.getByText("Enter a number.").waitFor();
    await field.fill("5000");
    await saveOf("Unpaid order limit").click();
    await page.getByText("Correct the marked fields.").waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await field.inputValue()).toBe("5000");
    await page.getByLabel("Time zone").fill("Mars/Olympus");
    await saveOf("Time zone").click();
    await page.getByText("There is no time zone of this name").waitFor();
    expect(await page.getByLabel("Time zone").getAttribute("aria-invalid")).toBe("true");
    // What changes is shown before it is saved, and a section is saved alone.
    await field.fill("25");
    await page
      .getByRole("group", { name: "Changes to save" })
      .getByRole("row", { name: "Unpaid order limit 20 25" })
      .waitFor();
    await saveOf("Unpaid order limit").click();
    await page.getByText("Saved.").waitFor();
    await expect.poll(() => page.getByLabel("Time zone").inputValue()).toBe("Mars/Olympus");
    await page.getByLabel("Time zone").fill("Asia/Shanghai");
    await expect.poll(() => page.getByRole("button", { name: "Save" }).count()).toBe(0);
    expect(await limit()).toBe(25);
    await open("/activity?function=set_settings");
    for (const button of await page.getByRole("button", { name: /^More of/ }).all()) await button.click();
    await page.getByText("Unpaid order limit: 20 → 25").waitFor();
  });
});
