import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { noisyPng } from "../api/png_writer.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { barriers, overflow, watchUploads } from "./browser.ts";
import { demoConsole, password, problem } from "./demo_console.ts";

const demo = demoConsole();

const uploaded = expect.stringMatching(/\/storage\/v1\/object\/public\/pictures\/[0-9a-f-]{36}\/large\.jpg$/) as string;

/** Clicks like a person, who lets go of the mouse when the page has drawn what the press has caused. */
async function clickSlowly(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.mouse.up();
}

/** Pastes a screenshot from the clipboard. */
const paste = (page: Page, picture: Buffer) =>
  page.evaluate((base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], "screenshot.png", { type: "image/png" }));
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
  }, picture.toString("base64"));

/** A picture that browsers read, and the store does not: a bitmap of 9 MB, all grey. */
function bitmap(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(54 + width * height * 3, 120);
  bytes.fill(0, 0, 54).write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  for (const [at, value] of Object.entries({ 10: 54, 14: 40, 18: width, 22: height }))
    bytes.writeUInt32LE(value, Number(at));
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

describe("products", () => {
  it("are added with the typed price", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/products");
    await page.getByRole("button", { name: "Add a product" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Title").fill("Tea <b>& more</b>");
    await form.getByLabel("Price").fill("123456.10");
    await form.getByRole("switch", { name: "Queue goods" }).click();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    const [product] = await demo.sql`select title, price, is_queue_goods from app.products order by id desc limit 1`;
    expect(product).toEqual({ title: "Tea <b>& more</b>", price: "123456.10", is_queue_goods: true });
    await page.getByRole("link", { name: "Tea <b>& more</b>" }).waitFor();
    await demo.sql`update app.products set is_show = false, is_del = true where title like 'Tea%'`;
  });

  it("have a stock and images, and an empty stock is unlimited", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const saved = async () =>
      (
        await demo.sql`select stock::integer, images, description from app.products where title = 'Cup' and not is_del`
      )[0];
    await open("/products");
    await page.getByRole("button", { name: "Add a product" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Title").fill("Cup");
    await form.getByLabel("Price").fill("10");
    await form.getByLabel("Stock").fill("many");
    // The error under the field that is left moves the button, but not while it is pressed.
    await clickSlowly(page, form.getByRole("button", { name: "Edit addresses" }));
    await form.getByText("Enter a whole number").waitFor();
    await form.getByLabel("Addresses").fill("ftp://shop.example.com/a.png");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Enter a URL that begins with").waitFor();
    await form.getByLabel("Stock").fill("12");
    await form.getByLabel("Addresses").fill("https://shop.example.com/a.png\nhttps://shop.example.com/b.png\n");
    await form.getByRole("textbox", { name: "Description" }).fill("Holds tea.");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    expect(await saved()).toEqual({
      stock: 12,
      images: ["https://shop.example.com/a.png", "https://shop.example.com/b.png"],
      description: "<p>Holds tea.</p>",
    });
    await page.getByRole("link", { name: "Cup", exact: true }).click();
    await form.getByLabel("Stock").fill("");
    // Two files, one of which the browser scales and converts, and a screenshot from the clipboard; then the first
    // upload becomes the main image, and an address goes.
    const file = (name: string, hue: number) => ({ name, mimeType: "image/png", buffer: plainPng(hue, 90, 90, 60) });
    const files = form.getByRole("group", { name: "Images" }).locator("input[type=file]");
    await files.setInputFiles([
      { name: "front.bmp", mimeType: "image/bmp", buffer: bitmap(2500, 1250) },
      file("back.png", 20),
    ]);
    await form.getByRole("img", { name: "Picture 4" }).waitFor();
    const shownParts = await watchUploads(page);
    await paste(page, Buffer.from(noisyPng(180)));
    // At its beginning, the bar has no width.
    await form.getByRole("progressbar", { name: "screenshot.png" }).waitFor({ state: "attached" });
    await form.getByRole("img", { name: "Picture 5" }).waitFor();
    expect((await shownParts()).length).toBeGreaterThan(1);
    await form.getByRole("button", { name: "Edit addresses" }).click();
    const [, , front] = (await form.getByLabel("Addresses").inputValue()).split("\n");
    await form.getByRole("img", { name: "Picture 3" }).dragTo(form.getByRole("img", { name: "Picture 1" }));
    await form.getByRole("button", { name: "Remove picture 2" }).click();
    await form.getByRole("button", { name: "Move picture 4 forward" }).click();
    await files.setInputFiles({ name: "x.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg></svg>") });
    await form.getByText("An SVG is not accepted").waitFor();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    const { images, ...others } = (await saved()) as { images: string[] };
    expect(others).toMatchObject({ stock: null, description: "<p>Holds tea.</p>" });
    expect(images).toEqual([front, "https://shop.example.com/b.png", uploaded, uploaded]);
    await page.locator(`img[src="${front!.replace("large", "small")}"]`).waitFor();
    const [scaled] = await demo.sql`select width, height from app.pictures where ${front!} like '%' || id || '%'`;
    expect({ ...scaled }).toEqual({ width: 2048, height: 1024 });
    await demo.sql`update app.products set is_show = false, is_del = true where title = 'Cup'`;
  });

  it("are taken off sale and put on sale again in one go, and exported", async () => {
    const titles = ["Cup to list", "Pot to list"];
    await demo.sql`insert into app.products (title, price) select t, 10 from unnest(${titles}::text[]) as t`;
    const shown = async () =>
      (await demo.sql`select is_show from app.products where title = any (${titles})`).map((row) => row.is_show);
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/products?search=to+list");
    const bar = page.getByRole("region", { name: "Selected products" });
    await page.getByRole("checkbox", { name: "Select Cup to list" }).waitFor();
    expect(await bar.count()).toBe(0);
    await page.getByRole("checkbox", { name: "Select Cup to list" }).check();
    await bar.getByText("1 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select this page" }).click();
    await bar.getByText("2 selected").waitFor();
    const download = page.waitForEvent("download");
    await bar.getByRole("button", { name: "Selected as CSV: Products" }).click();
    const file = readFileSync(await (await download).path(), "utf8");
    expect(file.trimEnd().split("\r\n")).toHaveLength(3);
    await bar.getByRole("button", { name: "Take off sale" }).click();
    const dialog = page.getByRole("dialog", { name: "Take 2 products off sale?" });
    await dialog.getByText("Pot to list").waitFor();
    await dialog.getByRole("button", { name: "Take off sale" }).click();
    await page.getByText("2 products were taken off sale.").waitFor();
    expect(await shown()).toEqual([false, false]);
    await bar.waitFor({ state: "hidden" });
    await page.getByRole("checkbox", { name: "Select Pot to list" }).check();
    await bar.getByRole("button", { name: "Put on sale" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put on sale" }).click();
    await page.getByText("1 product was put on sale.").waitFor();
    expect((await shown()).toSorted()).toEqual([false, true]);
    // The bar says what each action leaves out before it is asked for.
    await page.getByRole("checkbox", { name: "Select this page" }).click();
    await bar.getByText("1 is on sale already. 1 is off sale already.").waitFor();
    expect(await bar.getByRole("button", { name: "Put on sale" }).isEnabled()).toBe(true);
    await page.getByRole("checkbox", { name: "Select Cup to list" }).uncheck();
    await bar.getByText("1 is on sale already.", { exact: true }).waitFor();
    expect(await bar.getByRole("button", { name: "Put on sale" }).isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
    await demo.sql`update app.products set is_show = false, is_del = true where title = any (${titles})`;
  });

  it("are duplicated, put into categories that are sorted, and warn of low stock", async () => {
    await demo.sql`insert into app.products (title, price, stock, is_queue_goods) values ('Teapot', 45, 3, true)`;
    const { page, open, follow, complaints } = await demo.visitAsAdministrator();
    const form = page.getByRole("dialog");
    const save = async () => {
      await form.getByRole("button", { name: "Save" }).click();
      await form.waitFor({ state: "hidden" });
    };
    await open("/product-categories");
    for (const title of ["Pots", "Bowls"]) {
      await page.getByRole("button", { name: "Add a category" }).first().click();
      await form.getByLabel("Title").fill(title);
      await save();
      await page.getByRole("link", { name: title, exact: true }).waitFor();
    }
    const titles = async () =>
      (await demo.sql`select title from app.product_categories where not is_del order by rank, id`).map(
        ({ title }) => title,
      );
    await page.getByRole("button", { name: "Move Bowls up" }).click();
    await expect.poll(async () => (await titles()).slice(-2)).toEqual(["Bowls", "Pots"]);

    await follow("/products?search=Teapot");
    await page.getByRole("link", { name: "Teapot", exact: true }).click();
    await form.getByLabel("Category").click();
    await page.getByRole("option", { name: "Pots" }).click();
    await form.getByLabel("Warn below").fill("5");
    await save();
    await follow("/products?search=Teapot&is_low=true");
    await page.getByText("Low", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Teapot", exact: true }).click();
    await form.getByRole("link", { name: "Duplicate" }).click();
    await expect.poll(() => form.getByLabel("Title").inputValue()).toBe("Teapot (copy)");
    await save();
    const copies = await demo.sql`
      select p.title, p.price::text, p.is_queue_goods, p.is_show, p.low_stock, c.title as category from app.products as p join app.product_categories as c on c.id = p.category_id
      where p.title like 'Teapot%' order by p.id`;
    expect(copies.map((row) => ({ ...row }))).toEqual(
      ["Teapot", "Teapot (copy)"].map((title, at) => ({
        title,
        price: "45.00",
        is_queue_goods: true,
        is_show: at === 0,
        low_stock: 5,
        category: "Pots",
      })),
    );
    expect(complaints).toEqual([]);
    await demo.sql`update app.products set is_show = false, is_del = true where title like 'Teapot%'`;
  });

  it("are featured on the first page of the app, below banners", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const [product] =
      await demo.sql`select id, title from app.products where is_show and not is_del and title like '%Rice%'`;
    await open("/first-page");
    const before = await demo.sql`select product_id from app.featured_products order by rank`;
    await page.getByRole("button", { name: "Add a banner" }).click();
    const banner = page.getByRole("listitem", { name: "Banner 2" });
    await page.getByRole("button", { name: "Save" }).click();
    await banner.getByText("This field is required").first().waitFor();
    // Of two fields, the one with the focus takes what is pasted.
    await banner.getByRole("group", { name: "Picture" }).focus();
    await paste(page, plainPng(40, 90, 90, 60));
    await banner.getByRole("img", { name: "Picture 1" }).waitFor();
    await banner.getByLabel("Description").fill("Rice of the year");
    await page.getByRole("combobox", { name: "Add a product" }).fill("Rice");
    await page.getByRole("option", { name: product!.title }).click();
    await page.getByRole("button", { name: `Move ${product!.title} up` }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    const [first, second] = await demo.sql`select image, title, product_id from app.banners order by rank`;
    expect(first!.image).not.toEqual(uploaded);
    expect(second).toEqual({ image: uploaded, title: "Rice of the year", product_id: null });
    const after = (await demo.sql`select product_id from app.featured_products order by rank`).map(
      ({ product_id }) => product_id,
    );
    expect(after).toEqual([before[0]!.product_id, product!.id, before[1]!.product_id]);
    expect(complaints).toEqual([]);
  });

  it.each(["-5", "1e3", "12.999", "3.600,00"])(
    "reject a price that would have to be interpreted (%s)",
    async (price) => {
      const { page, open } = await demo.visitAsAdministrator();
      await open("/products");
      await page.getByRole("button", { name: "Add a product" }).click();
      const form = page.getByRole("dialog");
      await form.getByLabel("Title").fill("Odd price");
      await form.getByLabel("Price").fill(price);
      await form.getByRole("button", { name: "Save" }).click();
      await form.getByText("Enter an amount with at most two decimals").waitFor();
      expect(await form.getByLabel("Price").getAttribute("aria-invalid")).toBe("true");
      expect(await form.getByLabel("Price").inputValue()).toBe(price);
      expect(await demo.sql`select from app.products where title = 'Odd price'`).toHaveLength(0);
    },
  );
});

describe("a drawer", () => {
  it.each([
    [
      "/products?page=2",
      "product",
      "select id, title from app.products where not is_del order by id desc offset 20 limit 1",
    ],
    [
      "/articles?status=true",
      "article",
      "select id, title from app.articles where is_del = 0 and status = 1 order by id desc limit 1",
    ],
    [
      "/articles?tab=categories",
      "category",
      "select id, title from app.article_categories where not is_del order by id desc limit 1",
    ],
  ])("is in the address: a link opens it beside %s, and Back and its button close it", async (list, name, query) => {
    const { page, open } = await demo.visitAsAdministrator();
    const [record] = await demo.sql.unsafe(query);
    const form = page.getByRole("dialog", { name: `Edit ${record!.title}` });
    const address = () => new URL(page.url()).hash.slice(1);
    await open(list);
    for (const close of [() => page.goBack(), () => form.getByRole("button", { name: "Cancel" }).click()]) {
      await page.getByRole("link", { name: record!.title, exact: true }).first().click();
      await form.waitFor();
      expect(address()).toBe(`${list}&${name}=${record!.id}`);
      await close();
      await form.waitFor({ state: "hidden" });
      await expect.poll(address).toBe(list);
    }
    await open(`${list}&${name}=${record!.id}`);
    await form.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(address).toBe(list);
    await form.waitFor({ state: "hidden" });
  });
});

describe("a form", () => {
  it("shows an error of the store at its field, and refers to the field instead of repeating the error", async () => {
    const { page, open } = await demo.visitAsAdministrator({ locale: "zh-CN" });
    await open("/products");
    await page.getByRole("button", { name: "添加商品" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "保存" }).click();
    await form.getByText("请填写此项。").waitFor();
    await form.getByRole("textbox", { name: "标题" }).fill("茶");
    await form.getByLabel("价格").fill("10");
    await page.route(
      "**/adminapi/product",
      (route) =>
        route.fulfill({
          status: 400,
          contentType: "application/problem+json",
          body: JSON.stringify({
            ...JSON.parse(problem(400, "invalid_argument", "参数无效", "The sentence of the API.").body),
            errors: [{ in: "body", pointer: "/price", detail: "价格太高。" }],
          }),
        }),
      { times: 1 },
    );
    await form.getByRole("button", { name: "保存" }).click();
    await form.getByRole("alert").getByText("请更正标出的项目。").waitFor();
    await form.getByText("价格太高。").waitFor();
    expect(await form.getByText("The sentence of the API.").count()).toBe(0);
    await page.evaluate(() => sessionStorage.clear());
  });
});

describe("articles", () => {
  it("are added to a category, changed and deleted", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const form = page.getByRole("dialog");
    const saved = async () => {
      await form.getByRole("button", { name: "Save" }).click();
      await form.waitFor({ state: "hidden" });
    };
    const remove = async (title: string) => {
      const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: title, exact: true }) });
      await row.waitFor();
      const more = row.getByRole("button", { name: /^More of/ });
      if ((await more.count()) > 0) await more.click();
      await page.getByRole("button", { name: `Delete: ${title}` }).click();
      await form.getByRole("button", { name: "Delete" }).click();
    };
    await open("/articles?tab=categories");
    await page.getByRole("button", { name: "Add a category" }).click();
    await form.getByLabel("Title").fill("Notices");
    await saved();

    await open("/articles");
    await page.getByRole("button", { name: "Add an article" }).click();
    await form.getByLabel("Title").fill("Opening hours");
    await form.getByLabel("Category").click();
    await page.getByRole("option", { name: "Notices" }).click();
    await saved();
    const article = async () =>
      (
        await demo.sql`
      select a.title, c.title as category, a.is_del from app.articles as a join app.article_categories as c on c.id = a.cid order by a.id desc limit 1`
      )[0];
    expect(await article()).toEqual({ title: "Opening hours", category: "Notices", is_del: 0 });

    // The form loads the article first. While that fails, it shows the error.
    await page.route(
      "**/adminapi/article/*",
      (route) =>
        route.fulfill(problem(404, "article_not_found", "There is no such article", "It may have been deleted.")),
      { times: 1 },
    );
    await page.getByRole("link", { name: "Opening hours", exact: true }).click();
    await form.getByText("There is no such article").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Opening hours", exact: true }).click();
    await form.getByLabel("Title").fill("Opening hours in spring");
    await saved();
    expect((await article())!.title).toBe("Opening hours in spring");

    await open("/articles?tab=categories");
    await remove("Notices");
    await form.getByRole("alert").waitFor();
    await open("/articles");
    await remove("Opening hours in spring");
    await form.waitFor({ state: "hidden" });
    expect((await article())!.is_del).toBe(1);
    await open("/articles?tab=categories");
    await remove("Notices");
    await form.waitFor({ state: "hidden" });
    expect(await demo.sql`select from app.article_categories where title = 'Notices' and not is_del`).toHaveLength(0);
  });
});

describe("notices to members", () => {
  it("have quiet hours, and templates that are added, changed and removed", async () => {
    await demo.sql`update app.message_settings set quiet_from = null, quiet_until = null`;
    await demo.sql`delete from app.message_templates`;
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const saved = async () => [
      ...(await demo.sql`select type, template_id, data, problem from app.message_templates order by type`),
    ];
    // As long as those of WeChat.
    const template_id = "zun-LzcQyW-edafCVvzPkK4de2Rllr1fFpw2A_x0oXE";
    await open("/settings");
    await page.getByRole("link", { name: "Notices to members" }).click();
    await page.getByText("There is no template yet.").waitFor();
    const hours = page.getByRole("region", { name: "Quiet hours" });
    await hours.getByLabel("From").fill("22:00");
    await hours.getByRole("button", { name: "Save" }).click();
    await hours.getByText("Quiet hours have a beginning and another end, or neither.").waitFor();
    await hours.getByLabel("Until").fill("08:00");
    await hours.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(() => demo.sql`select from app.message_settings where quiet_from = '22:00' and quiet_until = '08:00'`)
      .toHaveLength(1);

    await page.getByRole("button", { name: "Add a template" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("combobox", { name: "Notice" }).click();
    await page.getByRole("option", { name: "Order shipped" }).click();
    await form.getByLabel("Template id").fill("a b");
    await form.getByRole("button", { name: "Add a field" }).click();
    await form.getByRole("textbox", { name: "Field", exact: true }).nth(1).fill("thing1");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("An id has letters, digits, - and _ only.").waitFor();
    await form.getByText("Another field has this name.").waitFor();
    await form.getByLabel("Template id").fill(template_id);
    await form.getByRole("textbox", { name: "Field", exact: true }).nth(1).fill("time2");
    await form.getByRole("combobox", { name: "Says" }).nth(1).click();
    await page.getByRole("option", { name: "Time", exact: true }).click();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    const template = { type: "order.shipped", template_id, data: { thing1: "title", time2: "time" }, problem: null };
    expect(await saved()).toEqual([template]);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });

    // What WeChat has refused works again when it is saved.
    await demo.sql`update app.message_templates set problem = 'WeChat answered with 47003: data.time2 invalid'`;
    await open("/settings/messages?template=order.shipped");
    await form.getByText("WeChat answered with 47003: data.time2 invalid").waitFor();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    expect(await saved()).toEqual([template]);
    await page.getByRole("link", { name: "Order shipped" }).click();
    await form.getByRole("button", { name: "Remove the field time2" }).click();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    expect(await saved()).toEqual([{ ...template, data: { thing1: "title" } }]);

    await page.getByRole("button", { name: "Remove the template of Order shipped" }).click();
    await form.getByRole("button", { name: "Remove" }).click();
    await form.waitFor({ state: "hidden" });
    await page.getByText("There is no template yet.").waitFor();
    expect(await saved()).toEqual([]);
    await demo.sql`update app.message_settings set quiet_from = null, quiet_until = null`;
    expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
  });
});

describe("input is kept", () => {
  it("when the connection is lost, and sending it again is idempotent", async () => {
    const { page, open, context } = await demo.visitAsAdministrator();
    await open("/settings");
    await page.getByLabel("Store name").fill("Tea house");
    // The response is lost, not the request: the store has done it, but the page cannot know.
    await page.route(
      "**/adminapi/system/settings",
      async (route) => {
        if (route.request().method() !== "PUT") return route.continue();
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const before = (await demo.sql`select updated_at from app.settings`)[0]!.updated_at;
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The store is not responding").waitFor();
    expect(await page.getByLabel("Store name").inputValue()).toBe("Tea house");
    const done = (await demo.sql`select updated_at from app.settings`)[0]!.updated_at;
    expect(done).not.toEqual(before);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await demo.sql`select site_name, updated_at from app.settings`)[0]).toEqual({
      site_name: "Tea house",
      updated_at: done,
    });

    await context.setOffline(true);
    await page.getByText("No connection").waitFor();
    await context.setOffline(false);
    await page.getByText("No connection").waitFor({ state: "hidden" });
  });

  it("when a reload fails, with the error above it", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/plan");
    await page.getByLabel("Place 1").fill("21");
    await page.getByRole("button", { name: "Simulate the last 30 days" }).click();
    await page.getByText("Top earners under the draft").waitFor();
    await page.route("**/adminapi/hjf/brokerage/config", (route) =>
      route.fulfill(problem(503, "database_unavailable", "The database cannot be reached", "Try again in a moment.")),
    );
    // The window receives the focus after a minute. What is being read is not read again, so it may take another one.
    const alert = page.getByRole("alert").getByText("database_unavailable");
    await expect
      .poll(async () => {
        await page.evaluate(() => {
          const now = Date.now;
          Date.now = () => now() + 60_000;
          document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
        });
        return alert.count();
      })
      .toBe(1);
    expect(await page.getByLabel("Place 1").inputValue()).toBe("21 %");
    expect(await page.getByText("Top earners under the draft").isVisible()).toBe(true);
    await page.evaluate(() => sessionStorage.clear());
  });

  it("when the session expires, until the user signs in again", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/products");
    await page.getByRole("button", { name: "Add a product" }).click();
    await page.getByRole("dialog").getByLabel("Title").fill("Half typed");
    await page.getByRole("dialog").getByLabel("Price").fill("10");
    // The store rejects the token.
    await page.route(
      "**/adminapi/product",
      (route) => route.fulfill(problem(401, "token_expired", "The token has expired", "Sign in again.")),
      { times: 1 },
    );
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.waitFor();
    expect(await again.getByRole("textbox", { name: "Email" }).inputValue()).toBe("admin@example.com");
    await again.locator("input[name=password]").fill(password);
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.waitFor({ state: "hidden" });
    expect(await page.getByRole("dialog").getByLabel("Title").inputValue()).toBe("Half typed");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect
      .poll(
        async () =>
          (await demo.sql`select count(*)::integer as rows from app.products where title = 'Half typed'`)[0]!.rows,
      )
      .toBe(1);
    await demo.sql`update app.products set is_show = false, is_del = true where title = 'Half typed'`;
  });
});
