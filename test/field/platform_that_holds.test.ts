import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { createClient } from "@supabase/supabase-js";
import { SignJWT } from "jose";
import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import { type Account, call, expectProblem, giveCommission, readText, signUp, signUpAdmin } from "../api/client.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { connect, skipFor, stack } from "../support/index.ts";

// What others reported of Supabase, of HTTP and of such shops, and what this store does with it.

let admin: Account;
let payer: Account;
let member: Account;

beforeAll(async () => {
  [admin, payer, member] = await Promise.all([
    signUpAdmin("Field administrator"),
    signUpAdmin("Field payer"),
    signUp("Field member"),
  ]);
});

/** A token that the Auth server of the stack could have made. */
const token = (claims: Record<string, unknown>) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(stack().jwt_secret));

// supabase/auth#1588, supabase/auth#68: a token of an anonymous user has the role of somebody who has signed in.
describe("an anonymous user of Auth", () => {
  it("is no member, and becomes none", async () => {
    const claims = {
      sub: randomUUID(),
      role: "authenticated",
      aud: "authenticated",
      iss: `${stack().supabase_url}/auth/v1`,
      is_anonymous: true,
    };
    for (const path of ["/api/user", "/api/hjf/assets/overview", "/api/order"]) {
      const reply = await call("GET", path, { token: await token(claims) });
      expectProblem(reply, "unauthenticated");
    }
    const sql = connect(stack().database_url);
    expect(await sql`select from app.users where auth_id = ${claims.sub}`).toHaveLength(0);
    await sql.end();
  });
});

// supabase/supabase#45993: keys are no tokens, and supabase-js sends them where tokens are expected.
describe("a key in the place of a token", () => {
  const get = (bearer: string) => call("GET", "/api/sign/required_article", { token: bearer });

  it("reads what everybody may read if it is public", async () => {
    expect((await get(stack().publishable_key)).status).toBe(200);
    expect((await get(await token({ role: "anon", iss: "supabase", ref: "store" }))).status).toBe(200);
  });

  it("is refused if it is secret, since whoever sent it has shown it", async () => {
    expectProblem(await get("sb_secret_0123456789abcdef0123456789abcdef"), "invalid_token");
    expectProblem(await get(stack().secret_key), "invalid_token");
  });
});

// supabase/supabase-js#2632, supabase/auth#1589: a browser asks first whether it may send the headers that the library
// adds.
describe("the headers of supabase-js", () => {
  it("are all allowed by the answer to the browser's question", async () => {
    const sent = new Headers();
    const client = createClient(stack().supabase_url, stack().publishable_key, {
      auth: { persistSession: false },
      global: {
        fetch: (_input, init) => {
          new Headers(init?.headers).forEach((value, name) => sent.set(name, value));
          return Promise.resolve(Response.json({}));
        },
      },
    });
    const { error } = await client.functions.invoke("api/cart", {
      method: "POST",
      body: { product_id: 1 },
      region: "ap-southeast-1" as never,
    });
    expect(error).toBeNull();
    const names = [...sent.keys()];
    expect(names).toEqual(
      expect.arrayContaining(["apikey", "authorization", "content-type", "x-client-info", "x-region"]),
    );
    const { headers, ok } = await fetch(`${stack().functions_url}/api/cart`, {
      method: "OPTIONS",
      headers: {
        origin: "https://shop.example.com",
        "access-control-request-method": "POST",
        "access-control-request-headers": names.join(","),
      },
    });
    const allowed = headers
      .get("access-control-allow-headers")!
      .toLowerCase()
      .split(/\s*,\s*/);
    expect([ok, names.filter((name) => !allowed.includes(name))]).toEqual([true, []]);
  });
});

// METR/vivaria#433, hartwork/jawanndenn#44: what JSON can say and Postgres cannot store.
describe("characters that no text can have", () => {
  it.each(["\\u0000", "a\\u0000b", "\\ud83d", "\\udc00a", "\\ud83d\\ud83d"])(
    "are refused in a name: %s",
    async (text) => {
      const init = { headers: { "content-type": "application/json" }, body: `{"nickname": "${text}"}` };
      expectProblem(await call("PUT", "/api/user", { token: member.token, init }), "invalid_argument");
    },
  );

  it.each(["%00", "a%00b", "%ed%a0%bd", "%ff", "%"])("are no fault of the server in a search: %s", async (text) => {
    const { status } = await call("GET", `/adminapi/user?search=${text}`, { token: admin.token });
    expect([200, 422]).toContain(status);
  });
});

// honojs/hono#4048, honojs/hono#1592: methods, paths, encodings and bodies that routers and parsers read in different
// ways.
describe("a request of another form", () => {
  const json = { "content-type": "application/json" };
  const nested = (depth: number) => `{"nickname": ${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const requests: [string, string, string, RequestInit][] = [
    ["HEAD", "HEAD", "/api/product", {}],
    ["HEAD of what needs a token", "HEAD", "/api/user", {}],
    ["a slash at the end", "GET", "/api/product/", {}],
    ["two slashes", "GET", "/api//product", {}],
    ["an encoded slash", "GET", "/api%2Fproduct", {}],
    ["an encoded slash in a parameter", "GET", "/api/product/1%2F2", {}],
    ["a broken escape in the path", "GET", "/api/product/%", {}],
    ["a broken escape of UTF-8", "GET", "/api/product/%ff", {}],
    ["a broken escape in the query", "GET", "/api/product?limit=%E0%A4", {}],
    ["a parameter twice", "GET", "/api/product?limit=1&limit=2", {}],
    ["a method that nothing has", "PATCH", "/api/user", {}],
    [
      "a key twice",
      "PUT",
      "/api/user",
      { headers: json, body: '{"nickname": "Field member", "nickname": "Field member"}' },
    ],
    ["a byte order mark", "PUT", "/api/user", { headers: json, body: '\ufeff{"nickname": "Field member"}' }],
    [
      "another charset",
      "PUT",
      "/api/user",
      { headers: { "content-type": "application/json; charset=gbk" }, body: '{"nickname": "Field member"}' },
    ],
    [
      "a body of gzip",
      "PUT",
      "/api/user",
      { headers: { ...json, "content-encoding": "gzip" }, body: gzipSync('{"nickname": "Field member"}') },
    ],
    ["great depth", "PUT", "/api/user", { headers: json, body: nested(20_000) }],
    ["no body", "PUT", "/api/user", { headers: json }],
    ["a body that is no object", "PUT", "/api/user", { headers: json, body: "null" }],
    ["a key of the prototype", "PUT", "/api/user", { headers: json, body: '{"__proto__": {"nickname": "x"}}' }],
  ];

  it.each(requests)("is answered without a fault of the server: %s", async (_what, method, path, init) => {
    const response = await fetch(`${stack().functions_url}${path}`, {
      ...init,
      method,
      headers: [...new Headers(init.headers), ["authorization", `Bearer ${member.token}`]],
    });
    expect(response.status).toBeLessThan(500);
  });

  it("finds no route behind a slash at the end, instead of two addresses of one thing", async () => {
    expect((await call("GET", "/api/product")).status).toBe(200);
    expect((await call("GET", "/api/product/")).status).toBe(404);
  });
});

// supabase/supabase#50211, citusdata/pg_cron#354: pg_cron keeps a row of each run for ever.
skipFor(describe, lacking("pg_cron"))("the record of scheduled runs", () => {
  it("loses successes of frequent jobs after two days and all else after a month, and nothing before", async () => {
    const sql = connect(stack().database_url);
    const first = 900_000_000;
    try {
      const jobs = await sql<
        { jobid: number; often: boolean }[]
      >`select jobid, schedule like '*%' as often from cron.job where jobname not like '%:now'`;
      const often = jobs.find((job) => job.often)!.jobid;
      const daily = jobs.find((job) => !job.often)!.jobid;
      const runs: [job: number, days: number, status: string, isKept: boolean][] = [
        [often, 1, "succeeded", true],
        [often, 3, "succeeded", false],
        [often, 3, "failed", true],
        [often, 31, "failed", false],
        [daily, 29, "succeeded", true],
        [daily, 31, "succeeded", false],
      ];
      for (const [index, [job, days, status]] of runs.entries())
        await sql`
          insert into cron.job_run_details (jobid, runid, job_pid, database, username, command, status, return_message, start_time, end_time)
          select ${job}, ${first + index}, 1, current_database(), 'postgres', 'select 1', ${status}, '', t, t from (select now() - ${`${days} days`}::interval) as x (t)`;
      await sql`call app.purge_cron_history()`;
      const left = await sql<{ runid: string }[]>`select runid from cron.job_run_details where runid >= ${first}`;
      expect(left.map(({ runid }) => Number(runid)).sort()).toEqual(
        runs.flatMap(([, , , isKept], index) => (isKept ? [first + index] : [])),
      );
    } finally {
      await sql`delete from cron.job_run_details where runid >= ${first}`;
      await sql.end();
    }
  });
});

// linlinjava/litemall#119, wafer-startup#171, opencart/opencart#15666, AffiliateWP/AffiliateWP#1771,
// antiwork/gumroad#5793: emoji break the sign-in, files break or run what people have entered, and searches take
// characters for patterns.
describe("names that people really have", () => {
  const names = [
    "小明👨‍👩‍👧",
    "🇨🇳 加油",
    "👍🏽",
    "𠮷野家",
    "Zoë",
    "مريم",
    "=1+1",
    "@SUM(A1)",
    '"; drop table users; --',
    "100%",
    "a_b",
    "back\\slash",
    "O'Brien",
  ];

  it("are stored as they are, and found by each of them", async () => {
    const mark = randomUUID().slice(0, 8);
    const members = await Promise.all(names.map((name) => signUp(`${name} ${mark}`)));
    for (const [index, name] of names.entries()) {
      const { body } = await call("GET", "/api/user", { token: members[index]!.token });
      expect(body.nickname).toBe(`${name} ${mark}`);
      const found = await call("GET", `/adminapi/user?search=${encodeURIComponent(`${name} ${mark}`)}`, {
        token: admin.token,
      });
      expect(
        found.body.list.map((row: { uid: number }) => row.uid),
        name,
      ).toEqual([members[index]!.uid]);
    }
    // A pattern would find all, or those with any character in the place.
    for (const text of [`% ${mark}`, `_ ${mark}`, `a%b ${mark}`, `axb ${mark}`, `\\ ${mark}`]) {
      const { body } = await call("GET", `/adminapi/user?search=${encodeURIComponent(text)}`, { token: admin.token });
      const right = members.filter((_, index) => `${names[index]} ${mark}`.includes(text)).map(({ uid }) => uid);
      expect(body.list.map((row: { uid: number }) => row.uid).sort(), text).toEqual(right.sort());
    }
  });

  it("are text in the file of a batch, whatever a spreadsheet takes for a formula", async () => {
    const holders = ['=HYPERLINK("http://x")', "+1+1", "-1+1", "@SUM(A1)", "陈静", 'Chen, "Jing"', "O'Brien"];
    const ids: number[] = [];
    for (const holder of holders) {
      const owner = await signUp("Payee with a name");
      await giveCommission(owner, "100.00");
      const account = await call("POST", "/api/account", {
        token: owner.token,
        json: { method: "bank", holder, account_no: "6222021234567890128", bank: "ICBC" },
      });
      expect([holder, account.status]).toEqual([holder, 201]);
      const asked = await call("POST", "/api/withdrawal", {
        token: owner.token,
        json: { amount: "50.00", method: "bank", account_id: account.body.id },
      });
      ids.push(asked.body.id as number);
    }
    await call("PUT", "/adminapi/withdrawal/approve", { token: admin.token, json: { ids } });
    const batch = await call("POST", "/adminapi/withdrawal/batch", {
      token: payer.token,
      json: { method: "bank", ids },
    });
    const { text } = await readText(`/adminapi/withdrawal_batch/${batch.body.id}`, admin);
    expect(text.startsWith("\ufeff")).toBe(true);
    const rows = Papa.parse<string[]>(text.slice(1), { skipEmptyLines: true }).data.slice(1);
    const shown = holders.map((holder) => (/^[=+\-@]/.test(holder) ? `'${holder}` : holder));
    expect(rows.map(([, holder]) => holder).sort()).toEqual(shown.sort());
  });
});
