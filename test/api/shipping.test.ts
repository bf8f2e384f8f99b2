import { randomInt, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, call, expectProblem, readText, signUp, signUpAdmin } from "./client.ts";
import { readWorkbook } from "./workbook.ts";

let admin: Account;
let buyer: Account;
let stranger: Account;
let tea: number;

const ADDRESS = { name: "林小姐", phone: "13800000000", region: ["广东省", "深圳市", "南山区"], street: "科技路 1 号" };

beforeAll(async () => {
  [admin, buyer, stranger] = await Promise.all([
    signUpAdmin("Packer"),
    signUp("Buyer of parcels"),
    signUp("Stranger to parcels"),
  ]);
  tea = await addProduct(`Tea in parcels ${randomUUID().slice(0, 8)}`, "19.90", false);
});

interface Order {
  id: number;
  order_no: string;
}

async function paidOrder(quantity = 1): Promise<Order> {
  const items = [{ product_id: tea, quantity }];
  const { body } = await call("POST", "/api/order", {
    token: buyer.token,
    json: { items, address: ADDRESS, remark: "=Ring twice" },
  });
  expect((await call("PUT", `/adminapi/order/${body.id}/pay`, { token: admin.token })).status).toBe(200);
  return body as Order;
}

const asAdmin = (method: string, path: string, json?: unknown) => call(method, path, { token: admin.token, json });
const lineOf = ({ order_no }: Order, tracking_no: string, carrier = "顺丰速运", line = 2) => ({
  line,
  order_no,
  carrier,
  tracking_no,
});
const number = () => `T${randomInt(1e11, 1e12)}`;
const toShip = async (more = "") => (await asAdmin("GET", `/adminapi/shipping?product_id=${tea}${more}`)).body;

describe("orders to ship", () => {
  it("are listed with recipient, address and goods until they are shipped", async () => {
    const [first, second] = [await paidOrder(2), await paidOrder()];
    const { list, count } = await toShip();
    expect(count).toBe(list.length);
    const shown = list.filter(({ id }: Order) => [first.id, second.id].includes(id));
    expect(shown).toMatchObject([
      {
        id: first.id,
        address: ADDRESS,
        remark: "=Ring twice",
        nickname: "Buyer of parcels",
        lines: [{ product_id: tea, quantity: 2 }],
        parcels: [],
      },
      { id: second.id },
    ]);
    expect((await asAdmin("PUT", "/adminapi/shipping/deliver", { ids: [first.id, 999999999] })).body.lines).toEqual([
      { id: first.id, result: "shipped", problem: null },
      { id: 999999999, result: "rejected", problem: "order_not_found" },
    ]);
    expectProblem(await asAdmin("PUT", "/adminapi/shipping/deliver", { ids: [999999999] }), "order_not_found");
    expectProblem(
      await call("PUT", "/adminapi/shipping/deliver", { token: buyer.token, json: { ids: [second.id] } }),
      "forbidden",
    );
    expect((await toShip()).list.map(({ id }: Order) => id)).not.toContain(first.id);
    expect((await toShip(`&search=${second.order_no.slice(-8)}`)).list.map(({ id }: Order) => id)).toEqual([second.id]);
    expectProblem(await asAdmin("GET", "/adminapi/shipping?limit=101"), "invalid_argument");
  });

  it("are a file for the carrier, whose text no spreadsheet changes", async () => {
    const [first, second] = [await paidOrder(2), await paidOrder()];
    const ids = `ids=${first.id},${second.id}`;
    const csv = await readText(`/adminapi/shipping/csv?${ids}`, admin, { "accept-language": "zh" });
    const lines = csv.text.replace("\uFEFF", "").trimEnd().split("\r\n");
    expect(lines[0]).toBe("订单号,收件人,手机号,省,市,区县,详细地址,商品,件数,买家留言,快递公司,运单号");
    expect(lines.slice(1).map((line) => line.split(",").slice(0, 7))).toEqual([
      [first.order_no, "林小姐", "13800000000", "广东省", "深圳市", "南山区", "科技路 1 号"],
      [second.order_no, "林小姐", "13800000000", "广东省", "深圳市", "南山区", "科技路 1 号"],
    ]);
    expect(lines[1]).toContain("'=Ring twice");
    const { rows } = await readWorkbook(`/adminapi/shipping/xlsx?${ids}`, admin, "en");
    expect(rows[0]!.map(({ text }) => text).slice(0, 3)).toEqual(["Order number", "Recipient", "Phone"]);
    expect(rows[1]![0]).toEqual({ text: first.order_no, kind: "text", format: "@" });
    expect(rows[1]!.map(({ text }) => text)).toContain("=Ring twice");
    expect(rows).toHaveLength(3);
    for (const wrong of ["", "ids=", "ids=0", "ids=1,", "ids=a", `ids=${Array(501).fill(1).join(",")}`])
      expectProblem(await asAdmin("GET", `/adminapi/shipping/csv?${wrong}`), "invalid_argument");
  });
});

describe("a file of a carrier", () => {
  it("is previewed, ships what fits, and changes nothing when it is sent again", async () => {
    const [first, second] = [await paidOrder(), await paidOrder()];
    const [one, other] = [number(), number()];
    const lines = [
      lineOf(first, one),
      lineOf(second, other, "中通", 3),
      { line: 4, order_no: "20260101000000", carrier: "SF", tracking_no: number() },
      { line: 6, order_no: "", carrier: "", tracking_no: number() },
    ];
    const results = ({ body }: Awaited<ReturnType<typeof asAdmin>>) =>
      body.lines.map((line: Record<string, unknown>) => [
        line.line,
        line.order_id,
        line.carrier,
        line.result,
        line.problem,
      ]);
    const rejected = [
      [4, null, "SF", "rejected", "order_unknown"],
      [6, null, null, "rejected", "no_order_number"],
    ];
    const expected = (result: string) => [
      [2, first.id, "SF", result, null],
      [3, second.id, "ZTO", result, null],
      ...rejected,
    ];
    const preview = await asAdmin("POST", "/adminapi/shipping/preview", { lines });
    expect([preview.status, results(preview)]).toEqual([200, expected("fits")]);
    expect((await asAdmin("GET", `/adminapi/order/${first.id}`)).body).toMatchObject({ state: "paid", parcels: [] });

    const shipped = await asAdmin("POST", "/adminapi/shipping", { lines });
    expect([shipped.status, results(shipped)]).toEqual([200, expected("fits")]);
    expect(shipped.body).toMatchObject({ fits: 2, unchanged: 0, rejected: 2 });
    expect((await asAdmin("GET", `/adminapi/order/${second.id}`)).body).toMatchObject({
      state: "delivered",
      carrier: "中通快递",
      tracking_no: other,
      parcels: [
        { carrier_code: "ZTO", carrier_name: "ZTO Express", tracking_no: other, shipped_by: { uid: admin.uid } },
      ],
    });
    const again = await asAdmin("POST", "/adminapi/shipping", { lines });
    expect(results(again)).toEqual(expected("unchanged"));
    expect((await asAdmin("GET", `/adminapi/order/${first.id}`)).body.parcels).toHaveLength(1);

    const late = await asAdmin("POST", "/adminapi/shipping", { lines: [lineOf(first, number())] });
    expectProblem(late, "order_state_conflict");
    const actions = (
      await asAdmin("GET", `/adminapi/action?target_type=order&target_id=${first.id}&function=ship_orders`)
    ).body;
    expect(actions.list.at(-1)).toMatchObject({
      from: { state: "paid" },
      to: { state: "delivered", carrier: "顺丰速运", tracking_no: one },
    });
  });

  it.each([
    ["no lines", []],
    ["a line without its number", [{ order_no: "1", carrier: "SF", tracking_no: "1" }]],
    ["a line with something else", [{ line: 1, order_no: "1", carrier: "SF", tracking_no: "1", price: "1" }]],
    ["a number that is no text", [{ line: 1, order_no: 1, carrier: "SF", tracking_no: "1" }]],
    ["a control character", [{ line: 1, order_no: "1\u0007", carrier: "SF", tracking_no: "1" }]],
    [
      "501 lines",
      Array.from({ length: 501 }, (_, at) => ({ line: at + 1, order_no: "1", carrier: "SF", tracking_no: "1" })),
    ],
  ])("with %s is rejected", async (_name, lines) => {
    for (const path of ["/adminapi/shipping", "/adminapi/shipping/preview"])
      expectProblem(await asAdmin("POST", path, { lines }), "invalid_argument");
  });
});

describe("the parcels of an order", () => {
  it("are added and corrected by administrators and seen by the buyer, who can follow them", async () => {
    const order = await paidOrder();
    const [one, other, right] = [number(), number(), number()];
    const add = (json: unknown) => asAdmin("POST", `/adminapi/order/${order.id}/parcel`, json);
    expect(await add({ carrier: "SF", tracking_no: one })).toMatchObject({
      status: 201,
      body: { state: "delivered", tracking_no: one },
    });
    expect((await add({ carrier: "ZTO", tracking_no: other })).body.parcels).toHaveLength(2);
    expect((await add({ carrier: "ZTO", tracking_no: other })).body.parcels).toHaveLength(2);
    expectProblem(await add({ carrier: "Pony Express", tracking_no: number() }), "invalid_argument");
    expectProblem(await add({ carrier: "SF" }), "invalid_argument");
    expectProblem(
      await asAdmin("POST", "/adminapi/order/900000000001/parcel", { carrier: "SF", tracking_no: one }),
      "order_not_found",
    );

    const seen = (await call("GET", `/api/order/${order.id}`, { token: buyer.token })).body;
    expect(seen).toMatchObject({
      carrier: "顺丰速运",
      tracking_no: one,
      parcels: [
        {
          tracking_no: one,
          carrier_name_zh: "顺丰速运",
          tracking_url: `https://www.kuaidi100.com/chaxun?com=shunfeng&nu=${one}`,
        },
        { tracking_no: other, carrier_name: "ZTO Express" },
      ],
    });
    expectProblem(await call("GET", `/api/order/${order.id}`, { token: stranger.token }), "order_not_found");

    const parcel = seen.parcels[1].id as number;
    const correct = (json: unknown) => asAdmin("PUT", `/adminapi/parcel/${parcel}`, json);
    expect((await correct({ tracking_no: right })).body.parcels[1]).toMatchObject({
      carrier_code: "ZTO",
      tracking_no: right,
    });
    const [action] = (
      await asAdmin("GET", `/adminapi/action?function=set_parcel&target_type=order&target_id=${order.id}`)
    ).body.list;
    expect([action.from, action.to]).toEqual([{ tracking_no: other }, { tracking_no: right }]);
    expectProblem(await correct({}), "invalid_argument");
    expectProblem(await correct({ tracking_no: one }), "invalid_argument");
    expectProblem(await asAdmin("PUT", "/adminapi/parcel/900000000001", { tracking_no: one }), "parcel_not_found");
    for (const found of [right, one])
      expect((await asAdmin("GET", `/adminapi/order?search=${found}`)).body.list.map(({ id }: Order) => id)).toEqual([
        order.id,
      ]);

    await call("PUT", `/api/order/${order.id}/receive`, { token: buyer.token });
    expectProblem(await correct({ tracking_no: other }), "order_state_conflict");
    expectProblem(await add({ carrier: "SF", tracking_no: other }), "order_state_conflict");
  });
});

describe("the list of carriers", () => {
  it("is kept by administrators, and links to parcels follow it", async () => {
    const code = `P${randomUUID().slice(0, 8).toUpperCase()}`;
    const json = {
      code,
      name: `Pony ${code}`,
      name_zh: `小马 ${code}`,
      tracking_url: "https://pony.example.com/{number}",
    };
    expect(await asAdmin("POST", "/adminapi/carrier", json)).toMatchObject({
      status: 201,
      body: { ...json, is_active: true },
    });
    expectProblem(await asAdmin("POST", "/adminapi/carrier", json), "invalid_argument");
    const order = await paidOrder();
    const add = () => asAdmin("POST", `/adminapi/order/${order.id}/parcel`, { carrier: code, tracking_no: "PE1001" });
    expect((await add()).body.parcels[0].tracking_url).toBe("https://pony.example.com/PE1001");
    const set = (change: unknown) => asAdmin("PUT", `/adminapi/carrier/${code}`, change);
    await set({ tracking_url: "https://pony.example.com/parcels/{number}" });
    expect((await asAdmin("GET", `/adminapi/order/${order.id}`)).body.parcels[0].tracking_url).toBe(
      "https://pony.example.com/parcels/PE1001",
    );
    expectProblem(await set({ tracking_url: "https://pony.example.com/" }), "invalid_argument");
    expectProblem(await set({ tracking_url: "ftp://pony.example.com/{number}" }), "invalid_argument");
    expectProblem(await set({}), "invalid_argument");
    expect((await set({ tracking_url: "", is_active: false })).body).toMatchObject({
      tracking_url: null,
      is_active: false,
    });
    const other = await paidOrder();
    const refused = await asAdmin("POST", `/adminapi/order/${other.id}/parcel`, {
      carrier: code,
      tracking_no: "PE1002",
    });
    expectProblem(refused, "invalid_argument");
    expect(
      (await asAdmin("GET", "/adminapi/carrier")).body.list.find((each: { code: string }) => each.code === code)
        .is_active,
    ).toBe(false);
    expectProblem(await asAdmin("PUT", "/adminapi/carrier/NOBODY", { is_active: false }), "carrier_not_found");
  });
});
