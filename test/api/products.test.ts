import { beforeAll, describe, expect, it } from "vitest";
import { type Account, call, expectProblem, setRole, signUp, signUpAdmin } from "./client.ts";
import { as, place } from "./scenario.ts";

const NOBODY = 900_000_000_000_001;
const path = "/adminapi/product";
let admin: Account;
let member: Account;

beforeAll(async () => {
  [admin, member] = await Promise.all([signUpAdmin("Shopkeeper"), signUp("Shopper")]);
});

const add = async (json: object = {}) => as(admin).post(path, { title: "Jasmine tea", price: "19.90", ...json });

describe("DELETE /adminapi/product/{id}", () => {
  it("deletes a product that was never ordered, once, and keeps one that was", async () => {
    const [mistake, ordered] = [(await add()).body.id as number, (await add()).body.id as number];
    expect((await as(admin).delete(`${path}/${mistake}`)).body).toEqual({ id: mistake, is_del: 1 });
    expectProblem(await as(admin).delete(`${path}/${mistake}`), "product_not_found");
    expectProblem(await call("GET", `/api/product/${mistake}`), "product_not_found");
    expectProblem(await as(admin).put(`${path}/${mistake}`, { is_show: 1 }), "product_not_found");
    const { body: actions } = await as(admin).get(`/adminapi/action?function=delete_product&target_id=${mistake}`);
    expect(actions.list).toMatchObject([{ from: { is_show: true }, to: null }]);

    await place(member, ordered);
    expectProblem(await as(admin).delete(`${path}/${ordered}`), "product_was_ordered");
    expect((await call("GET", `/api/product/${ordered}`)).status).toBe(200);
  });

  it("is for administrators of content", async () => {
    const { id } = (await add()).body;
    expectProblem(await as(member).delete(`${path}/${id}`), "forbidden");
    expectProblem(await as(admin).delete(`${path}/${NOBODY}`), "product_not_found");
  });
});

describe("POST /adminapi/product", () => {
  it("adds a product on sale and records who added it", async () => {
    const { status, body } = await add({ freight: "8", is_queue_goods: 1 });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      price: "19.90",
      freight: "8.00",
      is_queue_goods: true,
      is_show: true,
      updated_by: { uid: admin.uid },
    });
    expect((await call("GET", `/api/product/${body.id}`)).body).toMatchObject({ id: body.id, title: "Jasmine tea" });
  });

  it.each([
    [{ title: "" }, "/title"],
    [{ price: 19.9 }, "/price"],
    [{ price: "19.999" }, "/price"],
    [{ price: "-1" }, "/price"],
    [{ is_queue_goods: "yes" }, "/is_queue_goods"],
    [{ supply: 1 }, "/supply"],
    [{ stock: -1 }, "/stock"],
    [{ stock: 1.5 }, "/stock"],
    [{ images: ["javascript:alert(1)"] }, "/images/0"],
    [{ images: Array(13).fill("https://shop.example.com/a.png") }, "/images"],
    [{ description: "a".repeat(20_001) }, "/description"],
  ])("rejects %j", async (json, pointer) => {
    const reply = await add(json);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  it("rejects a title without visible characters", async () => {
    const reply = await add({ title: " \u3000 " });
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toMatchObject([{ in: "body", pointer: "/title" }]);
  });

  it("rejects a value that violates a constraint of the table, and names the constraint", async () => {
    const reply = await add({ price: "1000000.01" });
    expectProblem(reply, "invalid_argument");
    expect(reply.body.detail).toContain("price is between 0 and a million");
  });
});

describe("PUT /adminapi/product/{id}", () => {
  it("changes pictures, description and stock, which visitors see", async () => {
    const { id } = (
      await add({ stock: 3, images: ["https://shop.example.com/a.png"], description: "Two leaves and a bud." })
    ).body;
    expect((await call("GET", `/api/product/${id}`)).body).toMatchObject({
      stock: 3,
      images: ["https://shop.example.com/a.png"],
      description: "Two leaves and a bud.",
    });
    expect((await as(admin).put(`${path}/${id}`, { stock: 7 })).body).toMatchObject({
      stock: 7,
      description: "Two leaves and a bud.",
    });
    expect((await as(admin).put(`${path}/${id}`, { images: [] })).body).toMatchObject({ stock: 7, images: [] });
    expect((await as(admin).put(`${path}/${id}`, { stock: null })).body).toMatchObject({ stock: null });
  });

  it("keeps of the description what the list of allowed elements has", async () => {
    const { id, description } = (await add({ description: "<p>Two <b>leaves</b></p><script>alert(1)</script>" })).body;
    expect(description).toBe("<p>Two <b>leaves</b></p>");
    await as(admin).put(`${path}/${id}`, {
      description: '<img src="data:image/png;base64,AA" onload="x()">Two & a bud',
    });
    expect((await call("GET", `/api/product/${id}`)).body.description).toBe("<img>Two &amp; a bud");
    expectProblem(await as(admin).put(`${path}/${id}`, { description: "<i>".repeat(101) }), "invalid_argument");
  });

  it("changes only the given fields, and no earlier order", async () => {
    const { id } = (await add()).body;
    const order = await place(member, id);
    expect((await as(admin).put(`${path}/${id}`, { price: "25.00", is_queue_goods: true })).body).toMatchObject({
      title: "Jasmine tea",
      price: "25.00",
      is_queue_goods: true,
    });
    expect((await as(member).get(`/api/order/${order.id}`)).body.lines).toMatchObject([
      { price: "19.90", is_queue_goods: false },
    ]);
  });

  it("takes a product off sale without deleting it", async () => {
    const { id } = (await add()).body;
    await as(admin).put(`${path}/${id}`, { is_show: 0 });
    expectProblem(await call("GET", `/api/product/${id}`), "product_not_found");
    expect((await as(admin).get(`${path}/${id}`)).body.is_show).toBe(false);
  });

  it("returns 404 for an unknown product, and rejects an empty change", async () => {
    expectProblem(await as(admin).put(`${path}/${NOBODY}`, { title: "Ghost" }), "product_not_found");
    expectProblem(await as(admin).get(`${path}/${NOBODY}`), "product_not_found");
    expectProblem(await as(admin).put(`${path}/1`, {}), "invalid_argument");
  });

  it("is forbidden to an administrator who was removed", async () => {
    const former = await signUpAdmin("Former shopkeeper");
    const { id } = (await add()).body;
    await setRole(former, "authenticated");
    expectProblem(await as(former).put(`${path}/${id}`, { price: "0.01" }), "forbidden");
    expectProblem(await as(former).post(path, { title: "Mine", price: "1" }), "forbidden");
  });
});

describe("PUT /adminapi/product/sale", () => {
  it("takes several products off sale and puts them on sale again, all or none", async () => {
    const products = [(await add()).body, (await add({ is_show: false })).body];
    const ids = products.map(({ id }) => id);
    const shown = async () =>
      (await Promise.all(ids.map((id) => as(admin).get(`${path}/${id}`)))).map(({ body }) => body.is_show);
    expect((await as(admin).put(`${path}/sale`, { ids, is_show: false })).body).toEqual({ changed: 1, unchanged: 1 });
    expectProblem(await as(admin).put(`${path}/sale`, { ids: [...ids, NOBODY], is_show: true }), "product_not_found");
    expect(await shown()).toEqual([false, false]);
    expect((await as(admin).put(`${path}/sale`, { ids, is_show: 1 })).body).toEqual({ changed: 2, unchanged: 0 });
    expect(await shown()).toEqual([true, true]);
    expect(
      (await as(admin).get(`/adminapi/action?target_type=product&target_id=${ids[1]}`)).body.list[0],
    ).toMatchObject({
      function: "set_on_sale",
      from: { is_show: false },
      to: { is_show: true },
    });
  });

  it.each([
    [{ is_show: true }, "/ids"],
    [{ ids: [], is_show: true }, "/ids"],
    [{ ids: ["tea"], is_show: true }, "/ids/0"],
    [{ ids: [1, 1], is_show: true }, "/ids"],
    [{ ids: [1] }, "/is_show"],
  ])("rejects %j", async (json, pointer) => {
    const reply = await as(admin).put(`${path}/sale`, json);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([expect.objectContaining({ pointer })]);
  });
});

describe("GET /adminapi/product", () => {
  it("filters and pages", async () => {
    const title = `Oolong ${crypto.randomUUID()}`;
    const [first, second] = [
      (await add({ title })).body,
      (await add({ title, is_show: false, is_queue_goods: true })).body,
    ];
    const list = async (query: string) =>
      (await as(admin).get(`${path}?search=${encodeURIComponent(title)}&${query}`)).body;
    expect((await list("")).list.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id]);
    expect(await list("is_show=0")).toEqual({ list: [second], count: 1 });
    expect(await list("is_queue_goods=false")).toEqual({ list: [first], count: 1 });
    expect(await list("limit=1&page=2")).toEqual({ list: [first], count: 2 });
    expectProblem(await as(admin).get(`${path}?sort=description`), "invalid_argument");
    expect(await list("limit=1&page=3")).toEqual({ list: [], count: 2 });
  });

  it("sorts by price, title and stock, of which unlimited is the largest, and pages through equal ones", async () => {
    const title = `Puer ${crypto.randomUUID()}`;
    const cheap = (await add({ title: `${title} b`, price: "9.90", stock: 10 })).body.id;
    const dear = (await add({ title: `${title} c`, price: "100.00", stock: null })).body.id;
    const same = (await add({ title: `${title} a`, price: "9.90", stock: 2 })).body.id;
    const list = async (sort: string, more = "") =>
      (await as(admin).get(`${path}?search=${encodeURIComponent(title)}&sort=${sort}${more}`)).body.list.map(
        ({ id }: { id: number }) => id,
      );
    expect(await list("price")).toEqual([cheap, same, dear]);
    expect(await list("-price")).toEqual([dear, same, cheap]);
    expect(await list("price", "&limit=1&page=2")).toEqual([same]);
    expect(await list("stock")).toEqual([same, cheap, dear]);
    expect(await list("-stock")).toEqual([dear, cheap, same]);
    expect(await list("title")).toEqual([same, cheap, dear]);
  });
});

describe("GET /api/product", () => {
  it("finds products on sale by a part of the title and by category", async () => {
    const word = `茉莉${crypto.randomUUID()}`;
    const category_id = (await as(admin).post("/adminapi/product_category", { title: word })).body.id;
    const [first, second] = [
      (await add({ title: `新${word}` })).body.id,
      (await add({ title: `${word}茶`, category_id })).body.id,
    ];
    await add({ title: word, is_show: false });
    const found = async (query: Record<string, string>) => {
      const { body } = await call("GET", `/api/product?${new URLSearchParams(query)}`);
      return [body.list.map(({ id }: { id: number }) => id), body.count];
    };
    expect(await found({ search: word })).toEqual([[second, first], 2]);
    expect(await found({ search: word.toUpperCase(), limit: "1", page: "2" })).toEqual([[first], 2]);
    expect(await found({ search: word, category_id: String(category_id) })).toEqual([[second], 1]);
    expect(await found({ category_id: String(NOBODY) })).toEqual([[], 0]);
    expect((await found({ search: "茉莉" }))[0]).toContain(second);
    expectProblem(await call("GET", `/api/product?search=${"茶".repeat(65)}`), "invalid_argument");
    expectProblem(await call("GET", "/api/product?category_id=tea"), "invalid_argument");
  });
});

describe("GET /adminapi/product?is_low", () => {
  it("lists products with fewer units than they should have, until there are more", async () => {
    const title = `Matcha ${crypto.randomUUID()}`;
    const { id } = (await add({ title, stock: 4, low_stock: 5 })).body;
    await add({ title, stock: 5, low_stock: 5 });
    await add({ title, stock: 0 });
    await add({ title, low_stock: 5 });
    const low = async (is_low: string) =>
      (await as(admin).get(`${path}?search=${encodeURIComponent(title)}&is_low=${is_low}`)).body;
    expect((await low("true")).list).toMatchObject([{ id, low_stock: 5 }]);
    expect((await low("false")).count).toBe(3);
    await as(admin).put(`${path}/${id}`, { low_stock: 4 });
    expect((await low("true")).count).toBe(0);
  });
});

describe("the categories of products", () => {
  const categories = "/adminapi/product_category";
  const create = async (title: string) => (await as(admin).post(categories, { title })).body.id as number;
  const listed = async () =>
    (await as(admin).get(categories)).body.list.map(({ id }: { id: number }) => id) as number[];
  const shown = async () =>
    (await call("GET", "/api/first_page")).body.categories.map(({ id }: { id: number }) => id) as number[];

  it("are shown in the sequence that an administrator gives them", async () => {
    const [teas, cups] = [await create("Teas"), await create("Cups")];
    const ofTea = (await add({ category_id: teas })).body;
    expect(ofTea.category_id).toBe(teas);
    await add({ category_id: cups });
    expect((await listed()).slice(-2)).toEqual([teas, cups]);
    const sequence = [cups, teas, ...(await listed()).slice(0, -2)];
    expect((await as(admin).put(`${categories}/sequence`, { ids: sequence })).body.list[0]).toMatchObject({
      id: cups,
      products: 1,
    });
    expect((await shown()).slice(0, 2)).toEqual([cups, teas]);
    expectProblem(await as(admin).put(`${categories}/sequence`, { ids: [cups, teas, NOBODY] }), "changed_meanwhile");
    expectProblem(await as(admin).put(`${categories}/sequence`, { ids: [cups, cups] }), "invalid_argument");
    expectProblem(await as(admin).delete(`${categories}/${teas}`), "product_category_in_use");
    expect((await as(admin).put(`${path}/${ofTea.id}`, { category_id: null })).body.category_id).toBeNull();
    expect((await as(admin).delete(`${categories}/${teas}`)).body).toEqual({ id: teas, is_del: 1 });
    expectProblem(await as(admin).put(`${categories}/${teas}`, { title: "Again" }), "product_category_not_found");
    expectProblem(await as(admin).put(`${path}/${ofTea.id}`, { category_id: teas }), "product_category_not_found");
    expectProblem(await add({ category_id: teas }), "product_category_not_found");
    expect((await as(admin).put(`${categories}/${cups}`, { title: "Mugs" })).body.title).toBe("Mugs");
  });

  it("have a title", async () => {
    expectProblem(await as(admin).post(categories, { title: " " }), "invalid_argument");
    expectProblem(await as(admin).post(categories, {}), "invalid_argument");
    expectProblem(await as(member).post(categories, { title: "Mine" }), "forbidden");
  });
});
