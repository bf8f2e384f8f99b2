import { expect, it } from "vitest";
import { demoH5 } from "./demo_h5.ts";

const demo = demoH5();

// Guarantee access/texts
it("show descriptions from before the store looked at them: with their line breaks, and without anything that acts", async () => {
  const samples = [
    "<p onclick=hit() style='position:fixed;inset:0' class=x id=root>Two <b>leaves</b></p><script>hit()</script><h1>Title</h1>",
    '<a href="javascript:hit()">a</a><a href="https://tea.example.com/">b</a><form action="/x"><input><button>Send</button></form>',
    "<img src=/missing onerror=hit()><svg onload=hit()><a xlink:href='javascript:hit()'><text>c</text></a></svg>",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=hit()>"></noscript><template><img src=x onerror=hit()></template>',
  ];
  const html = samples.join("");
  const [plain, rich] = await demo.sql`
    insert into app.products (title, price, description) values ('Plain', 1, ${"First line\nSecond line < third"}), ('Rich', 1, ${html}) returning id`;
  const { page, open } = await demo.phone({ locale: "en-GB" });
  await page.addInitScript(() => Object.assign(window, { hit: () => Object.assign(window, { hits: true }) }));
  const text = page.getByRole("region", { name: "Description" });
  await open(`/products/${plain!.id}`);
  expect(await text.innerText()).toContain("First line\nSecond line < third");
  await open(`/products/${rich!.id}`);
  await text.getByRole("link", { name: "b" }).waitFor();
  const found = await text.evaluate((region) => ({
    elements: [...new Set([...region.querySelectorAll("div *")].map(({ localName }) => localName))].toSorted(),
    attributes: [
      ...new Set([...region.querySelectorAll("p, a, img")].flatMap((element) => element.getAttributeNames())),
    ].toSorted(),
    links: [...region.querySelectorAll("a")].map((link) => [link.getAttribute("href"), link.target, link.rel]),
  }));
  expect(found.elements).toEqual(["a", "b", "div", "h2", "img", "p"]);
  expect(found.attributes).toEqual(["alt", "href", "rel", "src", "target"]);
  expect(found.links).toEqual([
    [null, "_blank", "noopener noreferrer"],
    ["https://tea.example.com/", "_blank", "noopener noreferrer"],
  ]);
  expect(await page.evaluate(() => "hits" in window)).toBe(false);
  await demo.sql`update app.products set is_show = false, is_del = true where id in (${plain!.id}, ${rich!.id})`;
});
