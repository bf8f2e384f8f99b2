import { beforeAll, describe, expect, it } from "vitest";
import { type Account, call, expectProblem, signUpAdmin } from "./client.ts";
import { as } from "./scenario.ts";

const NOBODY = 900_000_000_000_001;
const articles = "/adminapi/article";
const categories = "/adminapi/article_category";
let admin: Account;

beforeAll(async () => {
  admin = await signUpAdmin("Editor");
});

const addCategory = async (json: object = {}) => (await as(admin).post(categories, { title: "News", ...json })).body;
const addArticle = async (cid: number, json: object = {}) =>
  (await as(admin).post(articles, { cid, title: "Read me", ...json })).body;

describe("an article", () => {
  it("is added, changed and deleted", async () => {
    const category = await addCategory();
    const { status, body } = await as(admin).post(articles, {
      cid: category.id,
      title: "Read me",
      content: "<p>…</p>",
      url: "/pages/a",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      cid: category.id,
      status: 1,
      hidden: 0,
      author: "",
      content: "<p>…</p>",
      updated_by: { uid: admin.uid },
    });
    const path = `${articles}/${body.id}`;
    expect((await as(admin).put(path, { status: 0, author: "Lu Xun" })).body).toMatchObject({
      title: "Read me",
      status: 0,
      author: "Lu Xun",
    });
    expect((await as(admin).delete(path)).body).toEqual({ id: body.id, is_del: 1 });
    for (const reply of [
      await as(admin).get(path),
      await as(admin).put(path, { status: 1 }),
      await as(admin).delete(path),
    ]) {
      expectProblem(reply, "article_not_found");
    }
    expect((await as(admin).get(`${articles}?cid=${category.id}`)).body).toEqual({ list: [], count: 0 });
  });

  it("keeps of its content what the list of allowed elements has, and the response says what is kept", async () => {
    const { id } = await addCategory();
    const content =
      '<h2 onclick="x()">Tea</h2><script>alert(1)</script><p style="color:red">a <a href="javascript:x">b</a></p><img src="/a.jpg" onerror="x()">';
    const kept = '<h2>Tea</h2><p>a <a>b</a></p><img src="/a.jpg">';
    const article = await addArticle(id, { content });
    expect(article.content).toBe(kept);
    const path = `${articles}/${article.id}`;
    expect((await as(admin).put(path, { content: `${content}<p>${content}` })).body.content).toBe(
      `${kept}<p></p>${kept}`,
    );
    expect((await as(admin).put(path, { title: "Other" })).body.content).toBe(`${kept}<p></p>${kept}`);
    for (const wrong of ["<div>".repeat(101), "&".repeat(12_001), "a&#x202e;b", 1]) {
      const reply = await as(admin).put(path, { content: wrong });
      expectProblem(reply, "invalid_argument");
      expect([...new Set(reply.body.errors.map(({ pointer }: { pointer: string }) => pointer))]).toEqual(["/content"]);
    }
  });

  it("needs an existing category", async () => {
    const { id } = await addCategory();
    const article = await addArticle(id);
    await addCategory();
    expectProblem(await as(admin).post(articles, { cid: NOBODY, title: "Nowhere" }), "invalid_argument");
    expectProblem(await as(admin).put(`${articles}/${article.id}`, { cid: NOBODY }), "invalid_argument");
    const other = await addCategory();
    expect((await as(admin).put(`${articles}/${article.id}`, { cid: other.id })).body.cid).toBe(other.id);
  });

  it.each([
    [{ title: "" }, "/title"],
    [{ title: "\u200b\u202e" }, "/title"],
    [{ url: "java\tscript:alert(1)" }, "/url"],
    [{ image_input: "\u0001javascript:alert(1)" }, "/image_input"],
    [{ url: "javascript:alert(1)" }, "/url"],
    [{ image_input: "data:text/html,x" }, "/image_input"],
    [{ status: 2 }, "/status"],
    [{ is_del: 1 }, "/is_del"],
    [{ content: "\0" }, "/content"],
  ])("is rejected with %j", async (json, pointer) => {
    const reply = await as(admin).post(articles, { cid: 1, title: "Read me", ...json });
    expectProblem(reply, "invalid_argument");
    expect([...new Set(reply.body.errors.map((error: { pointer: string }) => error.pointer))]).toEqual([pointer]);
  });

  it("is found by category, title and state, page by page", async () => {
    const { id } = await addCategory();
    const [shown, hidden] = [
      await addArticle(id, { title: "Shown 100%" }),
      await addArticle(id, { title: "Hidden", hidden: true }),
    ];
    const list = async (query: string) => (await as(admin).get(`${articles}?cid=${id}&${query}`)).body;
    const { content, ...listed } = shown;
    expect(content).toBe("");
    expect(await list("search=100%25")).toEqual({ list: [listed], count: 1 });
    expect(await list("hidden=1")).toMatchObject({ list: [{ id: hidden.id }], count: 1 });
    expect(await list("status=0")).toEqual({ list: [], count: 0 });
    expect(await list("limit=1&page=2")).toMatchObject({ list: [{ id: shown.id }], count: 2 });
  });
});

describe("a category", () => {
  it("shows the number of its readable articles", async () => {
    const { id } = await addCategory();
    await addArticle(id);
    await addArticle(id, { hidden: 1 });
    expect((await as(admin).get(`${categories}/${id}`)).body).toMatchObject({
      title: "News",
      readable_articles: 1,
      hidden: false,
    });
  });

  it("is deleted only when it is empty", async () => {
    const { id } = await addCategory();
    const article = await addArticle(id);
    expectProblem(await as(admin).delete(`${categories}/${id}`), "article_category_in_use");
    await as(admin).delete(`${articles}/${article.id}`);
    expect((await as(admin).delete(`${categories}/${id}`)).body).toEqual({ id, is_del: 1 });
    for (const reply of [
      await as(admin).get(`${categories}/${id}`),
      await as(admin).put(`${categories}/${id}`, { title: "Back" }),
      await as(admin).delete(`${categories}/${id}`),
    ]) {
      expectProblem(reply, "article_category_not_found");
    }
    expectProblem(await as(admin).post(articles, { cid: id, title: "Late" }), "invalid_argument");
  });

  it("rejects an empty change", async () => {
    const { id } = await addCategory();
    expectProblem(await as(admin).put(`${categories}/${id}`, {}), "invalid_argument");
    expectProblem(await as(admin).put(`${categories}/${id}`, { title: "x".repeat(101) }), "invalid_argument");
  });
});

describe("the sign-in flag", () => {
  const flagged = async () => {
    const { list, count } = (await as(admin).get(`${categories}?limit=100`)).body;
    expect(count).toBe(list.length);
    return list
      .filter(({ is_sign_in_ad }: { is_sign_in_ad: boolean }) => is_sign_in_ad)
      .map(({ id }: { id: number }) => id);
  };
  const gate = async () => (await call("GET", "/api/sign/required_article")).body;

  it("moves to another category, and the sign-in gate then draws from that one", async () => {
    const first = await addCategory({ is_sign_in_ad: true });
    const article = await addArticle(first.id);
    expect((await gate()).id).toBe(article.id);
    const second = await addCategory();
    await as(admin).put(`${categories}/${second.id}`, { is_sign_in_ad: true });
    expect(await flagged()).toEqual([second.id]);
    expect(await gate()).toBeNull();
    await as(admin).put(`${categories}/${first.id}`, { is_sign_in_ad: 1 });
    expect((await gate()).id).toBe(article.id);
    await as(admin).put(`${categories}/${first.id}`, { hidden: true });
    expect(await gate()).toBeNull();
  });

  it("stays on one category if it is moved concurrently", async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await addCategory()).id as number));
    const replies = await Promise.all(ids.map((id) => as(admin).put(`${categories}/${id}`, { is_sign_in_ad: true })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await flagged()).toHaveLength(1);
  });

  it("stays on its category if moving it fails", async () => {
    const before = await flagged();
    expectProblem(
      await as(admin).put(`${categories}/${NOBODY}`, { is_sign_in_ad: true }),
      "article_category_not_found",
    );
    expect(await flagged()).toEqual(before);
  });
});
