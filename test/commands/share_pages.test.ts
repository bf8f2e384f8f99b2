import { createServer } from "node:http";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { Parser } from "htmlparser2";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharePagesFolder } from "../../scripts/generate/share_pages.ts";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { listenOnLoopback, stopServer } from "../support/loopback_server.ts";
import { run } from "./run.ts";

const HOSTILE = `"><script>alert('1')</script> & <b>50 % off</b> 'now' &amp; “茶”`;
const PICTURE = 'https://shop.example.com/a.png?a=1&b="2"';

let clone: ClonedDatabase;
let sql: postgres.Sql;
let api: EdgeFunction;
let site: string;
let address: string;
// A plain static server for the folder, and behind it the API of a hosted project: nothing of the local stack.
const app = new Hono();
const listener = getRequestListener(app.fetch);
const server = createServer((request, response) => void listener(request, response));

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  api = await serveEdgeFunction("api", clone.url, {});
  site = mkdtempSync(join(tmpdir(), "store-h5-"));
  app.all("/functions/v1/*", (c) =>
    fetch(`${api.base}${c.req.path.slice("/functions/v1".length)}${new URL(c.req.url).search}`),
  );
  app.get("/shop/*", serveStatic({ root: site, rewriteRequestPath: (path) => path.slice("/shop".length) }));
  const origin = await listenOnLoopback(server);
  address = `${origin}/shop/`;
  writeFileSync(join(site, "config.json"), JSON.stringify({ supabase_url: origin }));
  await sql`update app.settings set site_name = ${"Tea & <Co>"}, logo = 'https://shop.example.com/logo.png'`;
  await sql`insert into app.products (title, price, images) values (${HOSTILE}, 99.90, ${[PICTURE]}), ('Plain', 1, '{}')`;
});
afterAll(async () => {
  await stopServer(server);
  await api?.stop();
  await sql?.end();
  await clone?.drop();
  if (site) rmSync(site, { recursive: true });
});

const write = async (...more: string[]) => {
  const { code, output } = await run("share_pages", [site, address, ...more]);
  expect([code, output]).toEqual([0, expect.stringMatching(/Files written: \d+/)]);
  return Number(/Files written: (\d+)/.exec(output)![1]);
};

/** What a crawler reads of a page: its tags, and every element that it has. */
async function read(path: string) {
  const response = await fetch(`${address}${sharePagesFolder}/${path}`);
  const tags: Record<string, string> = {};
  const elements: string[] = [];
  let title = "";
  const script: Record<string, string> = {};
  const parser = new Parser({
    onopentag: (name, attributes) => {
      elements.push(name);
      if (name === "script") Object.assign(script, attributes);
      const key = attributes.property ?? attributes.name;
      if (name === "meta" && key) tags[key] = attributes.content!;
    },
    ontext: (text) => {
      if (elements.at(-1) === "title") title += text;
    },
  });
  parser.end(await response.text());
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    tags,
    elements,
    title: title.trim(),
    script,
  };
}

const idOf = async (title: string) => Number((await sql`select id from app.products where title = ${title}`)[0]!.id);

describe("npm run share:pages", () => {
  it("writes a page for the store and for each product on sale, which a plain static server serves", async () => {
    await write();
    expect((await read("")).tags).toMatchObject({
      "og:title": "Tea & <Co>",
      "og:site_name": "Tea & <Co>",
      "og:image": "https://shop.example.com/logo.png",
      "og:url": `${address}p/`,
      "og:type": "website",
    });
    const id = await idOf("Plain");
    const page = await read(`${id}/`);
    expect([page.status, page.type]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.tags).toMatchObject({
      "og:title": "Plain",
      "og:description": "¥1.00 · Tea & <Co>",
      "og:image": "https://shop.example.com/logo.png",
      "og:url": `${address}p/${id}/`,
    });
    expect(page.script).toEqual({ src: `${address}p/open.js`, "data-app": address, "data-route": `/products/${id}` });
    expect(readdirSync(site).sort()).toEqual(["config.json", sharePagesFolder]);
  });

  it("writes a hostile title as a text, wherever it stands", async () => {
    const plain = await read(`${await idOf("Plain")}/`);
    const hostile = await read(`${await idOf(HOSTILE)}/`);
    expect(hostile.title).toBe(HOSTILE);
    expect(hostile.tags).toMatchObject({ "og:title": HOSTILE, "og:image": PICTURE });
    // Nothing of the title has become an element or an attribute.
    expect(hostile.elements).toEqual(plain.elements);
    expect(Object.keys(hostile.script)).toEqual(Object.keys(plain.script));
  });

  it("opens the app with the referrer of the link", () => {
    const script = readFileSync(join(site, "p/open.js"), "utf8");
    const opened: string[] = [];
    const document = { currentScript: { dataset: { app: address, route: "/products/7" } } };
    const location = { search: "?spread=10001&share=x", replace: (url: string) => opened.push(url) };
    // oxlint-disable-next-line no-implied-eval -- the script of the page, with a page of the test
    new Function("document", "location", script)(document, location);
    expect(opened).toEqual([`${address}?spread=10001&share=x#/products/7`]);
  });

  it("writes only what has changed, and says nothing of a product that is not on sale any more", async () => {
    expect(await write()).toBe(0);
    const id = await idOf("Plain");
    await sql`update app.products set is_show = false where id = ${id}`;
    expect(await write()).toBe(1);
    const page = await read(`${id}/`);
    expect(page.tags["og:title"]).toBe("Tea & <Co>");
    expect(page.script["data-route"]).toBe(`/products/${id}`);
    await sql`update app.products set is_show = true, title = 'Plain again' where id = ${id}`;
    expect(await write()).toBe(1);
    expect((await read(`${id}/`)).title).toBe("Plain again");
  });

  it("says what is wrong with a folder, an address or a store", async () => {
    const empty = await run("share_pages", [tmpdir(), address]);
    expect([empty.code, empty.output]).toEqual([
      1,
      expect.stringContaining("There is no config.json with a supabase_url"),
    ]);
    const wrong = await run("share_pages", [site, "shop.example.com"]);
    expect([wrong.code, wrong.output]).toEqual([2, expect.stringContaining("It must be the address of the H5 app")]);
    writeFileSync(join(site, "config.json"), JSON.stringify({ supabase_url: "http://127.0.0.1:1" }));
    const silent = await run("share_pages", [site, address]);
    expect([silent.code, silent.output]).toEqual([1, expect.stringContaining("does not answer")]);
  });
});
