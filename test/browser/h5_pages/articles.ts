import type { Folder } from "./folder.ts";

export const articles: Folder = {
  visit: async ({ page, open }, look, demo) => {
    const [article] = await demo.sql`select min(article_id) as id from app.article_pool`;
    await open(`/articles/${article!.id}`);
    await look(page, "article page");
    // Outside of WeChat, in a browser without a dialog of its own.
    await page.getByRole("button", { name: /^(分享本页|Share this page)$/ }).click();
    await page.getByRole("dialog").getByText(`#/articles/${article!.id}`).waitFor();
    await look(page, "share sheet");
    await page.keyboard.press("Escape");
  },
};
