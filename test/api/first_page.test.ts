import { beforeAll, describe, expect, it } from "vitest";
import { type Account, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as } from "./scenario.ts";

const path = "/adminapi/first_page";
const NOBODY = 900_000_000_000_001;
let admin: Account;

beforeAll(async () => {
  admin = await signUpAdmin("Decorator");
});

const add = async (json: object = {}) =>
  (await as(admin).post("/adminapi/product", { title: "First tea", price: "19.90", ...json })).body.id as number;
const banner = (product_id: number | null, json: object = {}) => ({
  image: "https://shop.example.com/a.png",
  title: "Spring",
  product_id,
  ...json,
});
const shown = async () => (await call("GET", "/api/first_page")).body;

describe("the first page", () => {
  it("is set by an administrator, and shown to visitors as far as it is on sale", async () => {
    const [tea, gone] = [await add({ is_queue_goods: true }), await add({ is_show: false })];
    const reply = await as(admin).put(path, {
      banners: [banner(tea), banner(gone), banner(null)],
      featured: [gone, tea],
    });
    expect(reply.status).toBe(200);
    expect(reply.body.featured.map(({ id, is_show }: Record<string, unknown>) => [id, is_show])).toEqual([
      [gone, false],
      [tea, true],
    ]);
    expect((await as(admin).get(path)).body).toEqual(reply.body);
    expect((await shown()).banners.map(({ product_id }: Record<string, unknown>) => product_id)).toEqual([tea, null]);
    expect((await shown()).featured).toMatchObject([{ id: tea, title: "First tea", you_would_earn: null }]);
    const member = await signUp("Reader");
    expect((await as(member).get("/api/first_page")).body.featured[0].you_would_earn).not.toBeNull();
    expect((await as(admin).put(path, { banners: [], featured: [] })).body).toEqual({ banners: [], featured: [] });
    expect(await shown()).toMatchObject({ banners: [], featured: [] });
  });

  it.each([
    [{ banners: [] }, "/featured"],
    [{ banners: [banner(null, { image: "javascript:alert(1)" })], featured: [] }, "/banners/0/image"],
    [{ banners: [banner(null, { title: " " })], featured: [] }, "/banners/0/title"],
    [{ banners: Array(11).fill(banner(null)), featured: [] }, "/banners"],
    [{ banners: [], featured: ["tea"] }, "/featured/0"],
    [{ banners: [], featured: [1, 1] }, "/featured"],
  ])("rejects %j", async (json, pointer) => {
    const reply = await as(admin).put(path, json);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  it("names no unknown product, and is not set by a member", async () => {
    expectProblem(await as(admin).put(path, { banners: [banner(NOBODY)], featured: [] }), "product_not_found");
    expectProblem(await as(admin).put(path, { banners: [], featured: [NOBODY] }), "product_not_found");
    expectProblem(await as(await signUp("Stranger")).put(path, { banners: [], featured: [] }), "forbidden");
  });
});
