import { randomInt, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  linesOf,
  readShipmentFile,
  type ShipmentTable,
  type UnreadableFile,
} from "../../apps/console/src/pages/shipping/shipment_file.ts";
import { type Account, addProduct, call, expectProblem, signUp, signUpAdmin } from "../api/client.ts";

let admin: Account;
let buyer: Account;
let stranger: Account;
let tea: number;

const ADDRESS = { name: "林小姐", phone: "13800000000", region: ["广东省", "深圳市"], street: "科技路 1 号" };

beforeAll(async () => {
  [admin, buyer, stranger] = await Promise.all([
    signUpAdmin("Packer of files"),
    signUp("Buyer by file"),
    signUp("Stranger by file"),
  ]);
  tea = await addProduct(`Tea by file ${randomUUID().slice(0, 8)}`, "19.90", false);
});

interface Order {
  id: number;
  order_no: string;
}

async function paidOrder(by = buyer, address = ADDRESS): Promise<Order> {
  const { body } = await call("POST", "/api/order", {
    token: by.token,
    json: { items: [{ product_id: tea, quantity: 1 }], address },
  });
  expect((await call("PUT", `/adminapi/order/${body.id}/pay`, { token: admin.token })).status).toBe(200);
  return body as Order;
}

const asAdmin = (method: string, path: string, json?: unknown) => call(method, path, { token: admin.token, json });
const orderOf = async ({ id }: Order) => (await asAdmin("GET", `/adminapi/order/${id}`)).body;
/** A number that no other parcel has. */
const number = () => `7731${randomInt(1e10, 1e11)}`;
const send = async (lines: [Order | string, string, string?][], path = "") => {
  const json = {
    lines: lines.map(([order, tracking_no, carrier = "STO"], at) => ({
      line: at + 2,
      order_no: typeof order === "string" ? order : order.order_no,
      carrier,
      tracking_no,
    })),
  };
  return (await asAdmin("POST", `/adminapi/shipping${path}`, json)).body;
};
const resultsOf = (body: { lines: { result: string; problem: string | null }[] }) =>
  body.lines.map(({ result, problem }) => problem ?? result);

/** What people and spreadsheets write where a tracking number belongs, and the number that is meant. */
const VALUES: [string, string | null][] = [
  // SpartnerNL/Laravel-Excel#1126: an apostrophe keeps a spreadsheet from rounding; so does a formula.
  ["'773100000000001", "773100000000001"],
  ["’773100000000002", "773100000000002"],
  ['="773100000000003"', "773100000000003"],
  ["''773100000000004", null],
  // Rounded numbers.
  ["7.73E+14", null],
  ["7.73e14", null],
  ["7,73E+14", null],
  ["773E14", null],
  ["1234E5678901", "1234E5678901"],
  ["MAYU1234567", "MAYU1234567"],
  ["SEP00012345", "SEP00012345"],
  ["2026-Nov", null],
  ["sf1234567890199", "SF1234567890199"],
  ["773100000000005000", null],
  ["123.0", null],
  ["773100000000006.0", null],
  // Errors of spreadsheets, and formulas that nobody has computed.
  ...["#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "Err:502", "=A1", "=VLOOKUP(A2,B:C,2,0)"].map(
    (value): [string, null] => [value, null],
  ),
  // Placeholders.
  ...[
    "-",
    "--",
    "0",
    "000000",
    "11111111",
    "null",
    "NULL",
    "NaN",
    "None",
    "TRUE",
    "FALSE",
    "N/A",
    "无",
    "暂无",
    "自提",
    "待发货",
    "TBD-20251128",
    "pending-0001",
  ].map((value): [string, null] => [value, null]),
  // Dates.
  ...[
    "2025-11-28",
    "2025/11/28",
    "28-11-2025",
    "11-28-26",
    "28-Nov-2025",
    "Nov-2025",
    "2025年11月28日",
    "20251128",
    "2025-11-28T10:30",
    "46354",
  ].map((value): [string, null] => [value, null]),
  // Cells of other columns.
  ...[
    "广东省深圳市科技路 1 号",
    "No. 1, Keji Road, 518000",
    "林小姐",
    "13800000000,13900000000",
    "19.90",
    "https://example.com/773100000000007",
  ].map((value): [string, null] => [value, null]),
  // Wide forms and blanks.
  ["７７３１００００００００００８", "773100000000008"],
  ["ＳＦ１００１", "SF1001"],
  ["\u00a0773100000000009\u3000", "773100000000009"],
  // Lengths. philterd/phileas#59: blanks inside are not dropped, since two numbers may stand in a cell.
  ["12345", null],
  ["123456", "123456"],
  ["A".repeat(36) + "1234", "A".repeat(36) + "1234"],
  ["A".repeat(37) + "1234", null],
  ["ABCDEF", null],
  ["ABC123", null],
  ["7731 0000 0000 010", null],
  ["773100000000011,773100000000012", null],
  // gbrodman/order-tracking#62, jkeen/tracking_number_data#55: hyphens are part of numbers, and carriers change their
  // forms.
  ["JDX012345678901-1-1-", "JDX012345678901-1-1-"],
  ["0073938000549297", "0073938000549297"],
  ["-773100000000013", null],
];

describe("a tracking number", () => {
  // Guarantee money/shipping-number: What is no tracking number ships no order, however it arrives
  // By: one function says what is one, app.tracking_number
  it("is one, or is rejected, the same in a file, in a field and from another program", async () => {
    const order = await paidOrder();
    const { lines } = await send(
      VALUES.map(([value]) => [order, value]),
      "/preview",
    );
    const seen = (lines as { tracking_no: string | null; result: string; problem: string | null }[]).map(
      ({ result, problem, tracking_no }, at) => [VALUES[at]![0], result === "fits" ? tracking_no : null, problem],
    );
    expect(seen).toEqual(
      VALUES.map(([value, meant]) => [value, meant, meant === null ? "tracking_number_invalid" : null]),
    );
  });

  // Guarantee money/shipping-number
  it("that is none ships nothing, whichever way it comes", async () => {
    const order = await paidOrder();
    const none = VALUES.filter(([, meant]) => meant === null).map(([value]) => value);
    expect(none.length).toBeGreaterThan(50);
    expectProblem(
      await asAdmin("POST", "/adminapi/shipping", {
        lines: none.map((value, at) => ({
          line: at + 2,
          order_no: order.order_no,
          carrier: "STO",
          tracking_no: value,
        })),
      }),
      "order_state_conflict",
    );
    for (const tracking_no of ["#N/A", "-", "null", "2025-11-28", "7,73E+14", "000000", "无"]) {
      const answers = [
        await asAdmin("PUT", `/adminapi/order/${order.id}/deliver`, { carrier: "STO", tracking_no }),
        await asAdmin("PUT", `/adminapi/order/${order.id}/deliver`, { tracking_no }),
        await asAdmin("POST", `/adminapi/order/${order.id}/parcel`, { carrier: "STO", tracking_no }),
      ];
      for (const answer of answers)
        expect(answer).toMatchObject({
          status: 422,
          body: { code: "invalid_argument", errors: [{ pointer: "/tracking_no" }] },
        });
    }
    expect(await orderOf(order)).toMatchObject({ state: "paid", parcels: [] });
  });

  it("is mended before it is stored, in every way in", async () => {
    const meant = number();
    for (const ship of [
      (order: Order) => send([[order, `'${meant}`]]),
      ({ id }: Order) => asAdmin("PUT", `/adminapi/order/${id}/deliver`, { carrier: "STO", tracking_no: `'${meant}` }),
      ({ id }: Order) => asAdmin("POST", `/adminapi/order/${id}/parcel`, { carrier: "STO", tracking_no: ` ${meant} ` }),
    ]) {
      const order = await paidOrder();
      await ship(order);
      expect(await orderOf(order)).toMatchObject({ state: "delivered", tracking_no: meant });
      const [{ id }] = (await orderOf(order)).parcels as [{ id: number }];
      expect((await asAdmin("PUT", `/adminapi/parcel/${id}`, { tracking_no: `＇${meant}` })).body).toMatchObject({
        tracking_no: meant,
      });
      expectProblem(await asAdmin("PUT", `/adminapi/parcel/${id}`, { tracking_no: "#N/A" }), "invalid_argument");
    }
  });

  it("is one of the carrier, as far as its form is documented", async () => {
    const order = await paidOrder();
    const digits = String(randomInt(1e12, 1e13));
    const answer = await send(
      [
        [order, `SF${digits}`, "SF"],
        [order, `SF${digits}`, "YTO"],
        [order, `YT${digits}`, "SF"],
        [order, "EA123456785CN", "EMS"],
        [order, "EA123456784CN", "EMS"],
        [order, `SF${digits}1`, "ZTO"],
      ],
      "/preview",
    );
    expect(resultsOf(answer)).toEqual([
      "order_repeated",
      "order_repeated",
      "number_of_another_carrier",
      "fits",
      "number_of_another_carrier",
      "fits",
    ]);
    expectProblem(
      await asAdmin("POST", `/adminapi/order/${order.id}/parcel`, { carrier: "YTO", tracking_no: `SF${digits}` }),
      "invalid_argument",
    );
    // Nor does another carrier come with a number that it cannot have given.
    const deliver = (body: object) => asAdmin("PUT", `/adminapi/order/${order.id}/deliver`, body);
    expect((await deliver({ carrier: "SF", tracking_no: `sf${digits}` })).body).toMatchObject({
      tracking_no: `SF${digits}`,
    });
    expectProblem(await deliver({ carrier: "YTO" }), "invalid_argument");
    const [{ id }] = (await orderOf(order)).parcels as [{ id: number }];
    expectProblem(await asAdmin("PUT", `/adminapi/parcel/${id}`, { carrier: "YTO" }), "invalid_argument");
  });

  it("of an order is found although a spreadsheet kept the number of the order from being rounded", async () => {
    const order = await paidOrder();
    expect(resultsOf(await send([[`'${order.order_no}`, number()]], "/preview"))).toEqual(["fits"]);
    expect(resultsOf(await send([[order, order.order_no]], "/preview"))).toEqual(["tracking_number_invalid"]);
  });
});

describe("a carrier", () => {
  it.each([
    ["顺丰快递", "SF"],
    ["韵达快递", "YD"],
    ["京东快递", "JD"],
    ["中国邮政", "YZPY"],
    ["邮政EMS", "EMS"],
    ["圆通速递有限公司", "YTO"],
  ])("is found by %s", async (name, code) => {
    const { lines } = await send([[await paidOrder(), number(), name]], "/preview");
    expect(lines).toMatchObject([{ carrier: code, result: "fits" }]);
  });

  it.each(["中通快运", "快递", "顺丰同城", "小马快递"])("is not guessed from %s", async (name) => {
    expect(resultsOf(await send([[await paidOrder(), number(), name]], "/preview"))).toEqual(["carrier_unknown"]);
  });
});

describe("several parcels and orders", () => {
  // allegro/allegro-api#9165, PrestaShop/PrestaShop#20665, aftership/aftership-apps-woocommerce#101
  it("an order gets each parcel of a file, once, and its buyer sees them", async () => {
    const order = await paidOrder();
    const [one, other] = [number(), number()];
    const lines: [Order, string][] = [
      [order, one],
      [order, other],
      [order, one],
    ];
    expect(resultsOf(await send(lines))).toEqual(["fits", "fits", "unchanged"]);
    expect(resultsOf(await send(lines))).toEqual(["unchanged", "unchanged", "unchanged"]);
    const seen = (await call("GET", `/api/order/${order.id}`, { token: buyer.token })).body;
    expect(seen.parcels.map((parcel: { tracking_no: string }) => parcel.tracking_no)).toEqual([one, other]);
  });

  // allegro/allegro-api#4640, gbrodman/order-tracking#121
  it("orders of one buyer at one address share a parcel, others do not", async () => {
    const [first, second, strangers, elsewhere] = [
      await paidOrder(),
      await paidOrder(),
      await paidOrder(stranger),
      await paidOrder(buyer, { ...ADDRESS, street: "科技路 2 号" }),
    ];
    const [shared, two, apart] = [number(), number(), number()];
    expect(
      resultsOf(
        await send([
          [first, shared],
          [second, shared],
          [strangers, two],
          [elsewhere, two],
        ]),
      ),
    ).toEqual(["fits", "fits", "number_repeated", "number_repeated"]);
    for (const order of [first, second])
      expect(await orderOf(order)).toMatchObject({ state: "delivered", tracking_no: shared });
    expect(resultsOf(await send([[strangers, shared]], "/preview"))).toEqual(["number_used"]);
    // The parcel left before the order was paid.
    expect(resultsOf(await send([[await paidOrder(), shared]], "/preview"))).toEqual(["number_used"]);
    expect(resultsOf(await send([[strangers, apart]], "/preview"))).toEqual(["fits"]);
  });
});

const fileOf = (content: string | Uint8Array, name = "carrier.csv") => new File([content as BlobPart], name);
const titlesOf = ({ columns, places }: ShipmentTable) =>
  Object.fromEntries(
    Object.entries(places).map(([column, place]) => [column, columns.find((each) => each.place === place)!.title]),
  );
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(text, "utf16le");
  return isBigEndian ? bytes.swap16() : bytes;
};
const reasonOf = (content: string | Uint8Array) =>
  readShipmentFile(fileOf(content)).then(
    () => "read",
    (problem: UnreadableFile) => [problem.reason, problem.line],
  );

describe("the columns of a file", () => {
  // erp-mafia/accounted#2584
  it.each([
    [
      "by priority and not by position",
      "客户订单号,物流单号,订单号,运单号\n1,2,3,4",
      { order_no: "订单号", tracking_no: "运单号" },
    ],
    ["without an empty one", "物流单号,运单号,订单号\n,4,3", { order_no: "订单号", tracking_no: "运单号" }],
    [
      "without an empty one of the store's own title",
      "订单号,运单号,物流单号,快递公司,物流公司\n3,,4,,中通",
      { order_no: "订单号", tracking_no: "物流单号", carrier: "物流公司" },
    ],
    [
      "in English",
      "Order number,Waybill,Tracking number\n1,2,3",
      { order_no: "Order number", tracking_no: "Tracking number" },
    ],
    [
      "below notes, with marks",
      "今日发货,,\n*商家订单号（必填）,快递公司,快递单号\n1,中通,2",
      { order_no: "*商家订单号（必填）", carrier: "快递公司", tracking_no: "快递单号" },
    ],
  ])("are found %s", async (_name, content, expected) => {
    expect(titlesOf(await readShipmentFile(fileOf(content)))).toEqual(expected);
  });

  it("are left to the person if two have the same title, unless one of them is empty", async () => {
    expect(titlesOf(await readShipmentFile(fileOf("订单号,运单号,运单号\n1,2,3")))).toEqual({ order_no: "订单号" });
    const table = await readShipmentFile(fileOf("订单号,运单号,运单号\n1,,3"));
    expect(linesOf(table, table.places)).toEqual([{ line: 2, order_no: "1", carrier: "", tracking_no: "3" }]);
  });

  it("can be chosen by hand if no title is known", async () => {
    const table = await readShipmentFile(fileOf("a,b\n1,2\n"));
    expect([table.places, table.columns]).toEqual([
      {},
      [
        { place: 0, title: "a" },
        { place: 1, title: "b" },
      ],
    ]);
    expect(linesOf(table, { order_no: 1, tracking_no: 0 })).toEqual([
      { line: 2, order_no: "2", carrier: "", tracking_no: "1" },
    ]);
  });

  it("that may have the number of the order are all named, because carriers have numbers of their own", async () => {
    expect((await readShipmentFile(fileOf("运单号,订单号,客户订单号\n1,2,3"))).orderPlaces).toEqual([1, 2]);
  });
});

describe("the letters of a file", () => {
  const text = "订单号,运单号\r\n20251128000123,773100000000001\r\n";
  const gb18030 = Buffer.from([0xb6, 0xa9, 0xb5, 0xa5, 0xba, 0xc5, 0x2c, 0xd4, 0xcb, 0xb5, 0xa5, 0xba, 0xc5, 0x0a]);
  // openfoodfoundation/openfoodnetwork#3448
  it.each([
    ["UTF-8", text],
    ["UTF-8 with a mark", `\uFEFF${text}`],
    ["semicolons", text.replaceAll(",", ";")],
    ["tabs", text.replaceAll(",", "\t")],
    ["UTF-16 with a mark, as Excel writes texts", utf16(`\uFEFF${text.replaceAll(",", "\t")}`)],
    ["UTF-16 of the other sequence", utf16(`\uFEFF${text}`, true)],
    ["UTF-16 without a mark", utf16(text)],
    ["UTF-16 of the other sequence without a mark", utf16(text, true)],
    ["GB 18030", Buffer.concat([gb18030, Buffer.from("20251128000123,773100000000001\n")])],
  ])("are read: %s", async (_name, content) => {
    const table = await readShipmentFile(fileOf(content));
    expect(linesOf(table, table.places)).toEqual([
      { line: 2, order_no: "20251128000123", carrier: "", tracking_no: "773100000000001" },
    ]);
  });

  it("are refused with the line in which they end", async () => {
    const broken = Buffer.concat([Buffer.from("\uFEFF订单号,运单号\n1,2\n3,"), Buffer.from([0xff, 0x0a])]);
    expect(await reasonOf(broken)).toEqual(["letters", 3]);
    expect(await reasonOf(Buffer.from("\xD0\xCF\x11\xE0 an old workbook", "latin1"))).toEqual(["format", undefined]);
  });
});

describe("a file that a parser does not read as a whole", () => {
  // osiegmar/FastCSV#173, mholt/PapaParse#1055: a quote without a second one swallows the rest of the file, and nobody
  // notices.
  it.each([
    ["a quote that nothing closes", '订单号,备注,运单号\n1,好,11\n2,"大,12\n3,好,13\n', ["quotes", 3]],
    ["a quote in the middle of a quoted cell", '订单号,备注,运单号\n1,"好"的,11\n2,好,12\n', ["quotes", 2]],
    ["a comma in an address without quotes", "订单号,地址,运单号\n1,科技路,11\n2,科技路, 2 号,12\n", ["cells", 3]],
  ])("is refused as a whole, with the line: %s", async (_name, content, expected) => {
    expect(await reasonOf(content)).toEqual(expected);
  });

  it.each([
    ["quotes inside a cell without quotes", '订单号,备注,运单号\n1,3" 管,11\n', 1],
    ["quotes and line breaks inside quotes", '订单号,备注,运单号\n1,"说""好""\n放门口",11\n2,好,12\n', 2],
    ["empty cells behind the last column", "订单号,运单号\n1,11,,\n", 1],
    ["rows that end early", "订单号,运单号,备注\n1,11\n", 1],
  ])("is another than one with %s", async (_name, content, count) => {
    const table = await readShipmentFile(fileOf(content));
    expect(linesOf(table, table.places)).toHaveLength(count);
  });
});
