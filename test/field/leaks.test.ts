import { chmod, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toCsv } from "../../apps/console/src/components/csv.ts";
import { serveCsv } from "../../functions/_shared/files/serve_csv.ts";
import { storedMails } from "../../scripts/auth/mails.ts";
import { type Account, accountIdOf, call, copyAccounts, signUp, signUpAdmin } from "../api/client.ts";
import { admitMachineKeys, prove } from "../api/proof.ts";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";

// What gets out, or goes on, although it should not: by names, files, tokens and bodies.

describe("a cell of an exported file", () => {
  /** The file of the API and that of the console with one row of an empty cell, this text and the cell after it. */
  async function filesWith(text: string): Promise<string[]> {
    const columns = ["a", "b", "c"].map((key) => ({ key, title: { en: key, zh: key } }));
    const app = new Hono<{ Variables: { requestId: string } }>();
    app.use((c, next) => (c.set("requestId", "request-1"), next()));
    app.get("/", (c) =>
      serveCsv(c, { name: "rows", columns }, () =>
        Promise.resolve(JSON.stringify({ lines: [{ a: "1", b: text, c: "2" }], next_cursor: null })),
      ),
    );
    const ofConsole = columns.map(({ key }) => ({
      id: key,
      title: key,
      cell: () => null,
      csv: (row: Record<string, string>) => row[key]!,
    }));
    return Promise.all([
      (await app.request("/")).text(),
      (await toCsv(ofConsole, [{ a: "1", b: text, c: "2" }], (value) => String(value))).text(),
    ]);
  }

  // OWASP/www-community#443, #1115: a spreadsheet that separates by semicolons divides a cell that is quoted for
  // commas, and a line end begins a cell.
  it.each([
    "=1+1",
    "x;=1+1",
    "x;=1+1;y",
    "x; =1+1",
    "x;\u3000＝1+1;y",
    'x";=1+1;"y',
    "x\n=1+1",
    "x\r\n+1+1",
    "x\t@SUM(1)",
    "x;-1+1;y",
    ";;=1+1",
    "-5;=1+1",
  ])("with %j begins no formula, whichever separator a spreadsheet takes", async (text) => {
    for (const file of await filesWith(text)) {
      for (const separator of [",", ";", "\t"]) {
        // As the most careless reader does, who knows no quotes.
        const cells = file.split(/\r?\n|\r/).flatMap((line) => line.split(separator));
        for (const cell of cells)
          expect(cell.replace(/^["\uFEFF]+/, "").trim(), `${separator} in ${file}`).not.toMatch(
            /^[=+\-@＝＋－＠](?!\d+(\.\d+)?"*$)/u,
          );
      }
    }
  });

  it.each(["Tea; green", "a+b;c-d", "-12.50", "+8613800000000", "x;-12.50", "x;y=1"])(
    "with %j is not changed",
    async (text) => {
      for (const file of await filesWith(text)) expect(file.replaceAll('"', "")).toContain(`1,${text},2`);
    },
  );
});

describe("a mail of the local stack", () => {
  it("can be read by nobody else on the machine, also in a folder that was there before", async () => {
    const folder = join(await mkdtemp(join(tmpdir(), "mails-")), "mails");
    await mkdir(folder);
    await chmod(folder, 0o755);
    await storedMails(folder, "http://127.0.0.1:1").send({ to: "lin@example.com", subject: "Code", html: "123456" });
    const [name] = await readdir(folder);
    const modes = await Promise.all([folder, join(folder, name!)].map(async (path) => (await stat(path)).mode & 0o777));
    await rm(join(folder, ".."), { recursive: true });
    expect(modes).toEqual([0o700, 0o600]);
  });
});

describe("in a store", { concurrent: false }, () => {
  let clone: ClonedDatabase;
  let sql: postgres.Sql;
  let functions: Record<"api" | "adminapi" | "mcp", EdgeFunction>;
  let owner: Account;
  let member: Account;
  let proved: string;
  let order: number;

  beforeAll(async () => {
    clone = await cloneDatabase();
    sql = connect(clone.url);
    [owner, member] = await Promise.all([signUpAdmin("Chief"), signUp("Zhang Wei")]);
    await copyAccounts(sql, owner, member);
    await admitMachineKeys(sql);
    await sql`select app.add_administrator(${owner.email}, '{owner}', 'Chief')`;
    proved = await prove(owner);
    await sql`update app.settings set assistants = true`;
    const [api, adminapi, mcp] = await Promise.all(
      ["api", "adminapi", "mcp"].map((name) => serveEdgeFunction(name, clone.url, {})),
    );
    functions = { api: api!, adminapi: adminapi!, mcp: mcp! };
    const [product] =
      await sql`insert into app.products (title, price, is_queue_goods) values ('Tea', 100, true) returning id`;
    const [uid] = await sql`select uid from app.users where auth_id = ${accountIdOf(member)}`;
    member.uid = Number(uid!.uid);
    await sql`update app.users set nickname = 'Zhang Wei' where uid = ${member.uid}`;
    const [row] = await sql`
      select (app.create_order(${member.uid}, ${sql.json([{ product_id: Number(product!.id), quantity: 1 }])}, now())).id::integer as id`;
    order = row!.id as number;
    await sql`select app.pay_order(${order}, 'test', 'test-1', now())`;
  });
  afterAll(async () => {
    await Promise.all(Object.values(functions ?? {}).map((served) => served.stop()));
    await sql?.end();
    await clone?.drop();
  });

  describe("an assistant without personal:read", () => {
    let token: string;
    const use = async (key: string, name: string, args: object): Promise<string> => {
      const reply = await call("POST", "/mcp", {
        base: functions.mcp.base,
        token: key,
        json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
        init: { headers: { accept: "application/json, text/event-stream" } },
      });
      expect(reply.status).toBe(200);
      return (reply.body.result.content as { text: string }[]).at(-1)!.text;
    };
    const makeKey = async (scopes: string[]): Promise<string> =>
      (
        await call("POST", "/adminapi/machine_key", {
          base: functions.adminapi.base,
          token: proved,
          json: { name: "Assistant", scopes },
        })
      ).body.secret;

    beforeAll(async () => {
      token = await makeKey(["members:read", "orders:read"]);
    });

    /** What is the same whether a name has these letters or not. */
    const without = (text: string) => text.replaceAll(/"request_id":"[^"]*"/g, "");

    // Guarantee privacy/assistants-names: An assistant from whom names are withheld finds nothing by a name
    // By: app.may_search_names
    it.each([
      ["find_members", "search"],
      ["find_orders", "search"],
      ["list_orders_to_ship", "search"],
    ])("learns nothing of a name by the answers of %s", async (tool, argument) => {
      for (const key of [token, proved]) {
        const [right, wrong] = await Promise.all(
          ["Zhang", "Zhbng"].map((text) => use(key, tool, { [argument]: text })),
        );
        expect(right).not.toContain(String(member.uid));
        expect(without(right!)).toBe(without(wrong!));
      }
    });

    it("learns nothing of a name by the answers of find, with the token of an administrator", async () => {
      const [right, wrong] = await Promise.all(["Zhang", "Zhbng"].map((text) => use(proved, "find", { text })));
      expect(right).toBe(wrong);
    });

    it("finds members by their uid and orders by their number, and by names with the scope", async () => {
      expect(JSON.parse(await use(token, "find_members", { search: String(member.uid) })).list).toMatchObject([
        { uid: member.uid },
      ]);
      expect(JSON.parse(await use(token, "find_orders", { search: String(order) })).list).toMatchObject([
        { id: order },
      ]);
      const personal = await makeKey(["members:read", "orders:read", "personal:read"]);
      expect(JSON.parse(await use(personal, "find_members", { search: "Zhang" })).list).toMatchObject([
        { uid: member.uid, nickname: "Zhang Wei" },
      ]);
      expect(JSON.parse(await use(personal, "find_orders", { search: "Zhang" })).list).toMatchObject([{ id: order }]);
    });

    it("does not keep administrators from finding members by their names", async () => {
      const { body } = await call("GET", "/adminapi/user?search=hang", {
        base: functions.adminapi.base,
        token: proved,
      });
      expect(body.list).toMatchObject([{ uid: member.uid }]);
    });
  });

  // Guarantee privacy/banned
  it("a member who is banned acts no more with a token that is still valid", async () => {
    const asMember = (method: string, path: string, json?: unknown) =>
      call(method, path, { base: functions.api.base, token: member.token, ...(json !== undefined && { json }) });
    const address = { name: "Lin", phone: "13800000000", region: ["广东省"], street: "Road 1" };
    expect((await asMember("POST", "/api/address", address)).status).toBe(201);
    await sql`update auth.users set banned_until = now() + interval '1 day' where id = ${accountIdOf(member)}`;
    for (const [method, path, json] of [
      ["POST", "/api/address", address],
      ["PUT", "/api/user", { nickname: "Lin" }],
      ["PUT", `/api/order/${order}/receive`],
      ["POST", `/api/order/${order}/refund`, { reason: "Changed my mind" }],
      ["GET", "/api/user"],
      ["GET", "/api/hjf/assets/overview"],
      ["GET", "/api/hjf/brokerage/progress"],
    ] as const)
      expect([method, path, (await asMember(method, path, json)).body?.code]).toEqual([method, path, "forbidden"]);
    await sql`update auth.users set banned_until = null where id = ${accountIdOf(member)}`;
    expect((await asMember("POST", "/api/address", address)).status).toBe(201);
  });

  it("a body that is nested or has unknown fields costs at most twice the processor time of a usual request", async () => {
    const { base, pid } = functions.api;
    const usual = JSON.stringify({ items: [{ product_id: 1, quantity: 1 }] });
    const most = 64 * 1024;
    const bodies = {
      arrays: "[".repeat(most / 2) + "]".repeat(most / 2),
      objects: '{"a":'.repeat(10_000) + "1" + "}".repeat(10_000),
      "nested in a field": `{"items":${"[".repeat(most / 2 - 10)}${"]".repeat(most / 2 - 10)}}`,
      "unknown fields": `{${Array.from({ length: 6200 }, (_, n) => `"k${n}":1`).join(",")}}`,
      "unknown fields in a list": `{"items":[${Array.from({ length: 9000 }, () => '{"a":1}')
        .join(",")
        .slice(0, most - 20)
        .replace(/,[^,]*$/, "")}]}`,
      "as many values as there may be": `{"items":[${Array.from({ length: 4900 }, () => "{}").join(",")}]}`,
      "a list of numbers": `{"items":[${"1,".repeat(most / 2 - 10)}1]}`,
    };
    const send = async (body: string) => {
      const response = await fetch(`${base}/api/order/preview`, {
        method: "POST",
        headers: { authorization: `Bearer ${member.token}`, "content-type": "application/json" },
        body,
      });
      await response.arrayBuffer();
      return response.status;
    };
    /** The processor time of the function, in ticks. */
    const spent = () => {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
      return Number(fields[11]) + Number(fields[12]);
    };
    const costOf = async (body: string) => {
      const before = spent();
      for (let n = 0; n < 150; n += 1) await send(body);
      return spent() - before;
    };
    await costOf(usual);
    for (const body of Object.values(bodies)) expect(await send(body)).toBeGreaterThanOrEqual(400);
    const limit = (await costOf(usual)) * 2;
    const costs: Record<string, number> = {};
    for (const [name, body] of Object.entries(bodies)) costs[name] = Math.min(await costOf(body), await costOf(body));
    expect(
      Object.entries(costs).filter(([, cost]) => cost > limit),
      `${JSON.stringify(costs)} of ${limit}`,
    ).toEqual([]);
  });
});
