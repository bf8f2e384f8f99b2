import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { localDirectory } from "../../scripts/ground/paths.ts";
import { barriers, keepPicture, overflow } from "./browser.ts";
import { demoConsole } from "./demo_console.ts";

const demo = demoConsole();
const screenshots = join(localDirectory, "screenshots");

/** Pastes a screenshot, or drops a file, where the focus is. */
const give = (page: Page, kind: "paste" | "drop", picture: Buffer) =>
  page.evaluate(
    ([type, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "screenshot.png", { type: "image/png" }));
      const { left, top } = document.activeElement!.getBoundingClientRect();
      const event =
        type === "paste"
          ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent("drop", {
              dataTransfer: data,
              bubbles: true,
              cancelable: true,
              clientX: left + 20,
              clientY: top + 20,
            });
      document.activeElement!.dispatchEvent(event);
    },
    [kind, picture.toString("base64")] as const,
  );

const article = async (title: string) =>
  (await demo.sql`select id, content from app.articles where title = ${title} order by id desc limit 1`)[0]!;
const addArticle = (title: string, content: string) =>
  demo.sql`insert into app.articles (cid, title, content, hidden) select min(id), ${title}, ${content}, 1 from app.article_categories where not is_del`;

it("an article is written with a picture, survives a reload as a draft, and is previewed as on the phone, in the colour of the store", async () => {
  await demo.sql`update app.settings set colour = '#0a7d5a'`;
  const { page, open, complaints } = await demo.visitAsAdministrator();
  const form = page.getByRole("dialog", { name: "Add an article" });
  const text = form.getByRole("textbox", { name: "Content" });
  await open("/articles");
  await page.getByRole("button", { name: "Add an article" }).click();
  await form.getByLabel("Title").fill("Green tea");
  await form.getByLabel("Category").click();
  await page.getByRole("option").first().click();

  await text.click();
  await form.getByRole("button", { name: "Heading, large" }).click();
  await page.keyboard.type("Leaves");
  await page.keyboard.press("Enter");
  await form.getByRole("button", { name: "Bold" }).click();
  await page.keyboard.type("Green");
  await form.getByRole("button", { name: "Bold" }).click();
  await page.keyboard.type(" & fresh ");
  await form.getByRole("button", { name: "Link" }).click();
  await form.getByLabel("Address of the link").fill("javascript:alert(1)");
  await page.keyboard.press("Enter");
  await form.getByText("Enter an address that begins with https://").waitFor();
  await form.getByLabel("Address of the link").fill("https://tea.example.com/");
  await page.keyboard.press("Enter");
  await give(page, "paste", plainPng(30, 90, 90, 60));
  await text.locator("img[src]").click();
  await form.getByLabel("Description of the picture").fill("A cup of tea");
  await text.focus();
  await give(page, "drop", plainPng(40, 90, 90, 60));
  await expect.poll(() => text.locator("img[src]").count()).toBe(2);
  await form.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => text.locator("img[src]").count()).toBe(1);

  await page.reload();
  await form.getByText("Your unsaved changes were restored.").waitFor();
  await text.getByRole("img", { name: "A cup of tea" }).waitFor();
  await form.getByRole("button", { name: "Preview as on the phone" }).click();
  const preview = page.locator("iframe");
  await expect
    .poll(() =>
      preview.evaluate((frame: HTMLIFrameElement) => frame.contentDocument?.querySelector("article")?.innerText),
    )
    .toContain("Green & fresh");
  expect(
    await preview.evaluate((frame: HTMLIFrameElement) => [
      frame.clientWidth,
      getComputedStyle(frame.contentDocument!.querySelector(".content")!).lineHeight,
      frame.contentDocument!.querySelector("a")!.rel,
      getComputedStyle(frame.contentDocument!.documentElement).getPropertyValue("--brand").trim(),
      frame.contentDocument!.querySelector<HTMLImageElement>(".content img")!.naturalWidth,
    ]),
  ).toEqual([375, "26.25px", "noopener noreferrer", "#0a7d5a", 60]);
  await keepPicture(page, join(screenshots, "writing preview.png"));
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("dialog", { name: "As on the phone" }).getByRole("button", { name: "Close" }).click();
  await keepPicture(page, join(screenshots, "writing.png"));
  expect(await barriers(page)).toEqual([]);
  await form.getByRole("button", { name: "Save" }).click();
  await form.waitFor({ state: "hidden" });

  const { content } = await article("Green tea");
  const [, address] = /src="([^"]*)"/.exec(content as string)!;
  expect(content).toBe(
    `<h2>Leaves</h2><p><strong>Green</strong> &amp; fresh <a href="https://tea.example.com/">https://tea.example.com/</a><img src="${address}" alt="A cup of tea"></p>`,
  );
  expect(
    await demo.sql`select from app.shown_pictures() as s (id) where position(s.id::text in ${address!}) > 0`,
  ).toHaveLength(1);
  expect(complaints).toEqual([]);
});

it("HTML that the editor cannot hold opens as HTML, with what would be lost, and is converted only when asked", async () => {
  const held =
    '<h2>Tea</h2>\n<p>Some <i><b>green</b></i> <a href="https://tea.example.com/" target="_blank">tea</a><br>\n and <s>coffee</s></p>\n<ul>\n  <li>One</li>\n</ul>';
  const table = '<p class="x">Before</p><table><tr><td colspan="2">Cell</td></tr></table><script>alert(1)</script>';
  await addArticle("Held", held);
  await addArticle("Plain", "First line\nSecond line");
  await addArticle("Table", table);
  await addArticle("Deep", "<div>".repeat(101));
  const { page, open, complaints } = await demo.visitAsAdministrator({
    locale: "zh-CN",
    colorScheme: "dark",
    width: 390,
  });
  await open("/articles");
  const edit = async (title: string) => {
    await page.getByRole("link", { name: title, exact: true }).click();
    return page.getByRole("dialog", { name: `编辑${title}` });
  };
  const save = async () => {
    // By the keyboard: what was saved before is told above the button.
    await page.getByRole("dialog").getByRole("textbox", { name: "标题" }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  };

  let form = await edit("Held");
  await form.getByRole("textbox", { name: "内容", exact: true }).getByRole("link", { name: "tea" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await save();
  expect((await article("Held")).content).toBe(held);

  form = await edit("Plain");
  expect(await form.getByRole("textbox", { name: "内容", exact: true }).innerText()).toBe("First line\nSecond line");
  await form.getByRole("button", { name: "取消" }).click();

  form = await edit("Table");
  const source = form.getByRole("textbox", { name: "内容（HTML）" });
  expect(await source.inputValue()).toBe(table);
  const removed = form.getByRole("alert").filter({ hasText: "保存时，商城将移除" });
  expect((await removed.getByRole("listitem").allInnerTexts()).toSorted()).toEqual(["<p class>", "<script>"]);
  const lost = form.getByRole("alert").filter({ hasText: "转换为文本将丢失" });
  expect(await lost.getByRole("listitem").allInnerTexts()).toEqual(
    expect.arrayContaining(["<table>", "<td>", "<td colspan>"]),
  );
  await keepPicture(page, join(screenshots, "writing html.png"));
  expect(await barriers(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await form.getByRole("textbox", { name: "标题" }).fill("Table 2");
  await save();
  // Of a text that nobody has touched, nothing is sent.
  expect((await article("Table 2")).content).toBe(table);
  form = await edit("Table 2");
  await source.fill(table.replace("Before", "After"));
  await save();
  expect((await article("Table 2")).content).toBe('<p>After</p><table><tr><td colspan="2">Cell</td></tr></table>');
  form = await edit("Table 2");
  await form.getByRole("button", { name: "仍要转换为文本" }).click();
  await form.getByRole("textbox", { name: "内容", exact: true }).press("End");
  await page.keyboard.type("!");
  await save();
  expect((await article("Table 2")).content).toMatch(/^(<p>[^<]*<\/p>)+$/);

  form = await edit("Deep");
  await form.getByText("元素嵌套层级过深").waitFor();
  await form.getByRole("textbox", { name: "内容（HTML）" }).fill("<div>".repeat(102));
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("元素嵌套层级过深。").waitFor();
  expect(complaints.filter((line) => !line.includes("422"))).toEqual([]);
});
