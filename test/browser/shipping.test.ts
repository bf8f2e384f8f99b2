import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers } from "./browser.ts";
import { demoConsole } from "./demo_console.ts";

const demo = demoConsole();

let tea: number;
const ADDRESS = { name: "林小姐", phone: "13800000000", region: ["广东省", "深圳市"], street: "科技路 1 号" };

beforeAll(async () => {
  const [product] = await demo.sql`
    insert into app.products (title, price, images) select 'Tea to ship', 10, p.images from app.products as p where p.id = 40 returning id`;
  tea = Number(product!.id);
});

/** Paid orders of the product, by their numbers. */
async function toShip(count: number): Promise<string[]> {
  const rows = await demo.sql`
    with placed as (
      select (app.create_order(10006, jsonb_build_array(jsonb_build_object('product_id', ${tea}::bigint, 'quantity', 2)), now(), ${demo.sql.json(ADDRESS)})).id
      from generate_series(1, ${count}::integer)
    )
    select id from placed`;
  const ids = rows.map(({ id }) => id as string);
  for (const id of ids) await demo.sql`select app.pay_order(${id}, 'offline', ${`ship-${id}`}, now())`;
  return (await demo.sql`select order_no from app.orders where id = any (${ids}) order by id`).map(
    ({ order_no }) => order_no as string,
  );
}

/** A file as a carrier sends it. */
const fileOf = (content: string | Buffer, extension = "csv") => ({
  name: `carrier.${extension}`,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(content as string),
});

/**
 * A workbook as Excel writes it: texts in a table of their own, empty cells left out, long numbers rounded in the form
 * 7.5E+14.
 */
function excelFile(texts: string[], rows: string): ReturnType<typeof fileOf> {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const parts = {
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="1" sheetId="7" r:id="rId3"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId3" Target="worksheets/sheet7.xml"/></Relationships>`,
    "xl/sharedStrings.xml": `<x:sst xmlns:x="${main}">${texts.map((text) => `<x:si><x:r><x:t>${text}</x:t></x:r><x:rPh><x:t>reading</x:t></x:rPh></x:si>`).join("")}</x:sst>`,
    "xl/worksheets/sheet7.xml": `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  };
  const files = Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]));
  return fileOf(Buffer.from(zipSync(files)), "xlsx");
}

async function choose(page: Page, file: ReturnType<typeof fileOf>): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Choose/ })
    .click();
  await (await chooser).setFiles(file);
}

/** Counts clicks and calls of the print dialog, which a browser without a window does not have. */
const watch = (page: Page) =>
  page.addInitScript(() => {
    const counts = { clicks: 0, prints: 0 };
    Object.assign(window, { counts });
    window.addEventListener("click", ({ isTrusted }) => isTrusted && (counts.clicks += 1), true);
    window.print = () => void (counts.prints += 1);
  });
const counted = (page: Page) =>
  page.evaluate(() => (window as unknown as { counts: { clicks: number; prints: number } }).counts);

/** The pages of what would be printed, and whether the console is on them. */
async function printed(page: Page) {
  await page.emulateMedia({ media: "print" });
  const sheets = await page.locator(".print-sheet").innerText();
  const isConsoleShown = await page.getByRole("banner").isVisible();
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  return { sheets, isConsoleShown, pages: pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length };
}

describe("the shipping desk", () => {
  it("ships 30 orders from the first screen with 13 clicks: filter, select, print, export, import, ship", async () => {
    const numbers = await toShip(30);
    const { page, open, complaints } = await demo.visitAsAdministrator({ width: 1440 });
    await watch(page);
    await open("/overview");
    await page.getByRole("navigation").getByRole("button", { name: "Sales" }).click();
    await page.getByRole("navigation").getByRole("link", { name: "Shipping" }).click();
    await page.getByRole("heading", { name: "Shipping" }).waitFor();
    await settle(page);
    await page.getByRole("combobox", { name: "Product" }).click();
    await page.getByRole("option", { name: "Tea to ship" }).click();
    await page.getByRole("checkbox", { name: "Select this page" }).click();
    await page.getByRole("button", { name: "Select all 30" }).click();
    await page.getByText("30 orders selected").waitFor();
    await page.getByRole("cell", { name: "Tea to ship × 2" }).first().locator("img").waitFor();
    expect(
      await page
        .getByRole("checkbox", { name: /^Select order/ })
        .evaluateAll((boxes) => boxes.every((box) => (box as HTMLInputElement).checked)),
    ).toBe(true);

    await page.getByRole("button", { name: "Pick list" }).click();
    const picks = await printed(page);
    expect(picks).toMatchObject({ isConsoleShown: false, pages: 1 });
    expect(picks.sheets).toMatch(/Tea to ship\s+30\s+60/);
    await page.getByRole("button", { name: "Address labels" }).click();
    const labels = await printed(page);
    expect(labels).toMatchObject({ isConsoleShown: false, pages: 30 });
    expect(numbers.filter((number) => !labels.sheets.includes(number))).toEqual([]);
    expect(labels.sheets).toContain("广东省 深圳市 科技路 1 号");

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Excel for the carrier" }).click();
    expect((await download).suggestedFilename()).toBe("shipping.xlsx");

    const lines = numbers.map((number, at) => `${number},顺丰速运,SF${10000 + at}`);
    await page.getByRole("button", { name: "Import tracking numbers" }).click();
    await choose(page, fileOf(`\uFEFF订单号,快递公司,运单号\r\n${lines.join("\r\n")}\r\n`));
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Ready to ship: 30.").waitFor();
    expect(await barriers(page)).toEqual([]);
    // In a narrow window, the button stays in sight, too, however many lines the file has.
    const sizeBefore = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    await expect
      .poll(async () => (await dialog.getByRole("button", { name: "Ship 30 orders" }).boundingBox())!.y)
      .toBeLessThan(844);
    await page.setViewportSize(sizeBefore);
    await dialog.getByRole("button", { name: "Ship 30 orders" }).click();
    await dialog.getByText("Shipped: 30. Not shipped: 0.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByText("Nothing found. Try clearing the filters.").waitFor();

    const [shipped] = await demo.sql`
      select count(*)::integer as n, count(distinct p.tracking_no)::integer as numbers
      from app.orders as o join app.parcels as p on p.order_id = o.id
      where o.order_no = any (${numbers}) and o.state = 'delivered' and p.carrier_code = 'SF'`;
    expect({ ...shipped }).toEqual({ n: 30, numbers: 30 });
    const { clicks, prints } = await counted(page);
    expect(prints).toBe(2);
    // The way before took four clicks and a page for each order, and ten more.
    expect(clicks).toBeLessThanOrEqual(13);

    const without = await toShip(2);
    await open(`/shipping?product_id=${tea}`);
    await page.getByRole("checkbox", { name: "Select this page" }).click();
    await page.getByRole("button", { name: "Ship without numbers" }).click();
    await dialog.getByRole("button", { name: "Ship 2 orders" }).click();
    await page.getByText("Shipped: 2. Not shipped: 0.").waitFor();
    const states = await demo.sql`select distinct state from app.orders where order_no = any (${without})`;
    expect(states.map(({ state }) => state as string)).toEqual(["delivered"]);
    expect(complaints).toEqual([]);
  });

  it("keeps the orders that could not be shipped selected, with the reason, and says how long the others wait", async () => {
    const [fits, refunded] = (await toShip(2)) as [string, string];
    const idOf = async (number: string) =>
      Number((await demo.sql`select id from app.orders where order_no = ${number}`)[0]!.id);
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open(`/shipping?product_id=${tea}`);
    const rows = page.locator(".data-list tbody tr");
    expect(await rows.first().locator("time").innerText()).toMatch(/^now$|^\d+ minutes? ago$/);
    for (const number of [fits, refunded])
      await page.getByRole("checkbox", { name: `Select order ${await idOf(number)}`, exact: true }).check();
    await demo.sql`select from app.refund_order(${await idOf(refunded)}, null, null, now())`;
    await page.getByRole("button", { name: "Ship without numbers" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Ship 2 orders" }).click();
    await page.getByText("Shipped: 1. Not shipped: 1.").waitFor();
    const bar = page.getByRole("region", { name: "Selected orders" });
    await bar.getByText("1 order selected").waitFor();
    await bar.getByText("1 can no longer be shipped, for example because it was refunded.").waitFor();
    expect(await bar.getByRole("button", { name: "Ship without numbers" }).isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
  });

  // Guarantee money/shipping-file
  it("names every line of a file that does not fit, before anything is written", async () => {
    const [fits, paid] = (await toShip(2)) as [string, string];
    const [unpaid] = await demo.sql`select order_no from app.orders where state = 'unpaid' order by id limit 1`;
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/shipping");
    await page.getByRole("button", { name: "Import tracking numbers" }).click();
    const dialog = page.getByRole("dialog");
    await choose(
      page,
      fileOf(
        [
          "Parcels of today,,",
          "*商家订单号（必填）,快递公司,快递单号",
          `="${fits}",中通,FF1001`,
          `${unpaid!.order_no},SF,FF1002`,
          "1234567890,SF,FF1003",
          `${paid},小马快递,FF1004`,
          `${paid},SF,2025-11-28`,
          ",,",
        ].join("\n"),
      ),
    );
    await dialog.getByText("Ready to ship: 1. Already shipped with this number: 0. Not shipped: 4.").waitFor();
    const rows = await dialog.getByRole("row").allInnerTexts();
    const problemOf = (line: number) => rows.find((row) => row.startsWith(`${line}\t`) || row.startsWith(`${line}\n`));
    expect(problemOf(3)).toContain("Ready");
    expect(problemOf(4)).toContain("The order is not paid.");
    expect(problemOf(5)).toContain("There is no order with this number.");
    expect(problemOf(6)).toContain("The list of carriers does not have this carrier");
    expect(problemOf(7)).toContain("This is no tracking number.");
    expect(await demo.sql`select from app.parcels where tracking_no like 'FF100_'`).toHaveLength(0);
    await dialog.getByRole("button", { name: "Ship 1 order" }).click();
    await dialog.getByText("Shipped: 1. Not shipped: 4.").waitFor();
    expect(
      (await demo.sql`select tracking_no from app.parcels where tracking_no like 'FF100_'`).map(
        (row) => row.tracking_no,
      ),
    ).toEqual(["FF1001"]);
    expect(complaints).toEqual([]);
  });

  it("reads the workbook that it has exported, files in GB 18030, and says why it cannot read others", async () => {
    const [number] = (await toShip(1)) as [string];
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open(`/shipping?product_id=${tea}&search=${number}`);
    await page
      .getByRole("checkbox", { name: /^Select order/ })
      .first()
      .check();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Excel for the carrier" }).click();
    const workbook = readFileSync(await (await download).path());
    await page.getByRole("button", { name: "Import tracking numbers" }).click();
    const dialog = page.getByRole("dialog");
    await choose(page, fileOf(workbook, "xlsx"));
    await dialog.getByText("The tracking number is missing.").waitFor();
    await dialog.getByText(number, { exact: true }).waitFor();

    const [head_no, head_number, known] = [0, 1, 2];
    await choose(
      page,
      excelFile(
        ["订单号", "运单号", number],
        `<row r="3"><c r="B3" t="s"><v>${head_no}</v></c><c r="AA3" t="s"><v>${head_number}</v></c></row>` +
          `<row r="5"><c r="B5" t="s"><v>${known}</v></c><c r="AA5"><v>7.5123456789012E+14</v></c></row>`,
      ),
    );
    await dialog.getByText("751234567890120", { exact: true }).waitFor();
    expect((await dialog.getByRole("row").allInnerTexts()).at(-1)).toMatch(/^5\s/);
    const lineOf = (row: number, tracking: string) =>
      excelFile(
        ["订单号", "运单号", number],
        `<row r="1"><c r="A1" t="s"><v>${head_no}</v></c><c r="B1" t="s"><v>${head_number}</v></c></row>` +
          `<row r="${row}"><c r="A${row}" t="s"><v>${known}</v></c><c r="B${row}"><v>${tracking}</v></c></row>`,
      );
    await choose(page, lineOf(2, "1.2345678901234501E+17"));
    await dialog.getByText("was rounded by a spreadsheet").waitFor();

    // 订单号, 运单号 in GB 18030, and no carrier.
    const head = Buffer.from([0xb6, 0xa9, 0xb5, 0xa5, 0xba, 0xc5, 0x2c, 0xd4, 0xcb, 0xb5, 0xa5, 0xba, 0xc5, 0x0a]);
    await choose(page, fileOf(Buffer.concat([head, Buffer.from(`${number},GG1001\n`)])));
    await dialog.getByText("The list of carriers does not have this carrier, or it is switched off.").waitFor();
    await dialog.getByRole("combobox", { name: "Carrier of lines without one" }).click();
    await page.getByRole("option", { name: "YTO Express" }).click();
    await dialog.getByText("Ready to ship: 1.").waitFor();

    await choose(page, fileOf("a,b\n1,2\n"));
    await dialog.getByText("No columns with the titles order number and tracking number").waitFor();
    await choose(page, fileOf("订单号,运单号\n"));
    await dialog.getByText("The file has no lines below the titles.").waitFor();
    await choose(page, fileOf(Buffer.from("PK\u0003\u0004broken", "latin1"), "xlsx"));
    await dialog.getByText("The file cannot be read. Save it as .xlsx or .csv.").waitFor();
    await choose(page, fileOf(`订单号,运单号\n${Array.from({ length: 501 }, (_, n) => `1,${n}`).join("\n")}`));
    await dialog.getByText("The file has more than 500 lines. Divide it.").waitFor();
    await choose(page, lineOf(4_000_000_000, "1"));
    await dialog.getByText("The file cannot be read. Save it as .xlsx or .csv.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("takes the column with the numbers of the store, lets others be chosen, and counts what it did not ship", async () => {
    const [one, two] = (await toShip(2)) as [string, string];
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/shipping");
    await page.getByRole("button", { name: "Import tracking numbers" }).click();
    const dialog = page.getByRole("dialog");
    // A carrier has numbers of its own under the first title. Excel writes texts in UTF-16.
    const rows = [
      "运单号\t订单号\t客户订单号\t快递公司",
      `OW1001\t900001\t${one}\t顺丰快递`,
      `OW1002\t900002\t${two}\t中国邮政`,
      `#N/A\t900003\t${two}\t京东快递`,
    ];
    await choose(page, fileOf(Buffer.from(`\uFEFF${rows.join("\r\n")}\r\n`, "utf16le"), "txt"));
    await dialog.getByText("Ready to ship: 2. Already shipped with this number: 0. Not shipped: 1.").waitFor();
    const chosen = dialog.getByRole("combobox", { name: "Column: Order number" });
    expect(await chosen.inputValue()).toBe("3 客户订单号");
    await chosen.click();
    await page.getByRole("option", { name: "2 订单号" }).click();
    await dialog.getByText("Ready to ship: 0. Already shipped with this number: 0. Not shipped: 3.").waitFor();

    await choose(page, fileOf(`a,b\n${one},OW1001\n${two},#N/A\n`));
    await dialog.getByText("No columns with the titles order number and tracking number").waitFor();
    await chosen.click();
    await page.getByRole("option", { name: "1 a" }).click();
    await dialog.getByRole("combobox", { name: "Column: Tracking number" }).click();
    await page.getByRole("option", { name: "2 b" }).click();
    await dialog.getByRole("combobox", { name: "Carrier of lines without one" }).click();
    await page.getByRole("option", { name: "STO Express" }).click();
    await dialog.getByText("Ready to ship: 1. Already shipped with this number: 0. Not shipped: 1.").waitFor();
    await dialog.getByRole("button", { name: "Ship 1 order" }).click();
    await dialog.getByText("Shipped: 1. Not shipped: 1.").waitFor();

    await choose(page, fileOf(`订单号,备注,运单号\n${two},"a,OW1003\n${one},b,OW1004\n`));
    await dialog.getByText("Line 2 has a quotation mark without a second one, so nothing was imported.").waitFor();
    expect(await dialog.getByRole("row").count()).toBe(0);
    const states = await demo.sql`select state from app.orders where order_no = any (${[one, two]}) order by id`;
    expect(states.map(({ state }) => state as string)).toEqual(["delivered", "paid"]);
    expect(complaints).toEqual([]);
  });

  it("goes on after a lost connection without shipping anything twice", async () => {
    const numbers = await toShip(120);
    const { page, open } = await demo.visitAsAdministrator();
    await open("/shipping");
    await page.getByRole("button", { name: "Import tracking numbers" }).click();
    const dialog = page.getByRole("dialog");
    await choose(
      page,
      fileOf(`订单号,快递公司,运单号\n${numbers.map((number, at) => `${number},ZTO,L${10000 + at}`).join("\n")}`),
    );
    await dialog.getByText("Ready to ship: 120.").waitFor();
    let requests = 0;
    // The second request is carried out, and its response is lost.
    await page.route(/\/adminapi\/shipping$/, async (route) => {
      if (route.request().method() !== "POST" || (requests += 1) !== 2) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await dialog.getByRole("button", { name: "Ship 120 orders" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByText("Ready to ship: 0. Already shipped with this number: 120. Not shipped: 0.").waitFor();
    const [state] = await demo.sql`
      select count(*)::integer as parcels, count(distinct order_id)::integer as orders from app.parcels where tracking_no ~ '^L[0-9]+$'`;
    expect({ ...state }).toEqual({ parcels: 120, orders: 120 });
  });

  it("has a list of carriers that administrators keep", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/carriers");
    await page.getByRole("button", { name: "Add a carrier" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Code").fill("PONY");
    await dialog.getByLabel("Chinese name").fill("小马快递");
    await dialog.getByLabel("English name").fill("Pony Express");
    await dialog.getByLabel("Tracking address").fill("https://pony.example.com/{number}");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Carrier added.").waitFor();
    await page.getByRole("link", { name: "PONY" }).click();
    await dialog.getByRole("switch", { name: "In use" }).click({ force: true });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    const [carrier] = await demo.sql`select name_zh, is_active from app.carriers where code = 'PONY'`;
    expect({ ...carrier }).toEqual({ name_zh: "小马快递", is_active: false });
    expect(complaints).toEqual([]);
  });
});
