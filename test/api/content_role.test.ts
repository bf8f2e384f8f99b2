import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import { type Account, call, expectProblem, giveCommission, routes, setPhone, signUpAdmin } from "./client.ts";
import { as } from "./scenario.ts";

const PHONE = `+86139${randomInt(10_000_000, 99_999_999)}`;
// No time and no id has it in it.
const BALANCE = "4321.09";

/**
 * What the pages of articles and products need, and the console around them: the roles of the caller and the time zone
 * of the store.
 */
const NEEDED = [
  "/adminapi/article",
  "/adminapi/article/{id}",
  "/adminapi/article_category",
  "/adminapi/article_category/{id}",
  "/adminapi/first_page",
  "/adminapi/me",
  "/adminapi/me/notices",
  "/adminapi/me/view/{page}",
  "/adminapi/product",
  "/adminapi/product/{id}",
  "/adminapi/product_category",
  "/adminapi/search",
  "/adminapi/system/settings",
  "/adminapi/waiting",
];
const reads = routes.filter(
  ({ auth, method, path }) => auth === "admin" && (method === "get" || /preview|simulate/.test(path)),
);

let owner: Account;
let editor: Account;
let values: Record<string, string>;

beforeAll(async () => {
  [owner, editor] = await Promise.all([signUpAdmin("Owner with a phone"), signUpAdmin("Editor")]);
  await Promise.all([setPhone(owner, PHONE), giveCommission(owner, BALANCE)]);
  const sql = connect(stack().database_url);
  await sql`select app.add_administrator(${editor.email}, '{content}')`;
  await sql.end();
  const create = async (path: string, json: object) => (await as(owner).post(path, json)).body.id as number;
  const category = await create("/adminapi/article_category", { title: "News" });
  const product = await create("/adminapi/product", { title: "Tea", price: "1.00", is_queue_goods: false });
  const article = await create("/adminapi/article", { cid: category, title: "About tea", content: "<p>Tea</p>" });
  values = { article: String(article), article_category: String(category), product: String(product) };
});

const days = "?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z";

/** Query parameters without which a route is not called. */
const query: Record<string, string> = {
  "/adminapi/shipping/csv": "?ids=1",
  "/adminapi/shipping/xlsx": "?ids=1",
  "/adminapi/report/product": days,
  "/adminapi/report/level": days,
  "/adminapi/report/member": days,
  "/adminapi/export/journal": "?month=2026-01&part=bill",
  "/adminapi/export/tax": "?quarter=2026-Q1",
  "/adminapi/export/tax/xlsx": "?quarter=2026-Q1",
  "/adminapi/search": "?text=Owner",
  "/adminapi/signal": "?kind=shared_order",
  "/adminapi/user/{uid}/statement/csv": "?month=2026-01",
  "/adminapi/user/{uid}/statement/proof": "?month=2026-01",
  "/adminapi/webhook/{id}/replay": days,
};

/** The path of a route, with what exists: the article, the category, the product, and the owner as a member. */
const pathOf = (path: string) =>
  (path + (query[path] ?? ""))
    .replace("{uid}", String(owner.uid))
    .replace("{month}", "2026-01")
    .replace("{page}", "products")
    .replace("{name}", "reconcile_bill")
    .replace("{id}", values[path.split("/")[2]!] ?? "1");

describe("the role content", () => {
  it.each(reads.map(({ method, path }) => [method, path]))(
    "%s %s is answered only if the pages of articles and products need it, and shows no phone number and no balance",
    async (method, path) => {
      const reply = await call(method, pathOf(path), { token: editor.token, ...(method === "post" && { json: {} }) });
      if (!NEEDED.includes(path)) {
        // The input of a preview is checked first.
        if (reply.status !== 422) expectProblem(reply, "forbidden");
        else expect(method).toBe("post");
        return;
      }
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain(PHONE.slice(-11));
      expect(reply.text).not.toContain(BALANCE);
      // The list of what is searched for is not empty: the owner sees both.
      if (path === "/adminapi/me")
        expect((await call("GET", `/adminapi/user/${owner.uid}`, { token: owner.token })).text).toMatch(
          new RegExp(`${PHONE.slice(-11)}.*${BALANCE}|${BALANCE}.*${PHONE.slice(-11)}`),
        );
    },
  );

  it("still has everything that the list names", () => {
    expect(NEEDED.filter((path) => !reads.some((route) => route.path === path))).toEqual([]);
  });

  it("writes articles and products, and gets their answers", async () => {
    const { status, body } = await call("PUT", `/adminapi/product/${values.product}`, {
      token: editor.token,
      json: { price: "2.00" },
    });
    expect([status, body.price]).toEqual([200, "2.00"]);
    expect(
      (
        await call("PUT", `/adminapi/article/${values.article}`, {
          token: editor.token,
          json: { title: "More about tea" },
        })
      ).body.title,
    ).toBe("More about tea");
  });
});
