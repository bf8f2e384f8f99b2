import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { cloneDatabase, type ClonedDatabase, connect, testSize } from "../support/index.ts";
import { generateOldSystem } from "../../scripts/testing/old_system.ts";
import { run } from "./run.ts";

let place: string;
let clone: ClonedDatabase;
let sql: postgres.Sql;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "store-import-"));
  clone = await cloneDatabase();
  sql = connect(clone.url);
});
afterAll(async () => {
  await sql.end();
  await clone.drop();
  rmSync(place, { recursive: true });
});

/** A folder with these files. */
function folderOf(name: string, files: Record<string, string | Buffer>): string {
  const folder = join(place, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

const example: Record<string, string> = {
  "products.csv": "id,title,price,is_queue_goods\nF1,旗舰套装,3600,1\n",
  "members.csv":
    'uid,nickname,phone,referrer,commission\n702,"李,雷",13800000702,701,\n701,韩梅梅,13800000701,,12.50\n',
  "orders.csv":
    "order_no,uid,referrer,state,pay_price,placed_at,paid_at\nn1,702,701,received,3600,2025-01-01T08:00:00+08:00,2025-01-01T08:01:00+08:00\n",
  "order_lines.csv": "order_no,line_no,product_id,quantity,price\nn1,1,F1,1,3600\n",
};

const importFolder = (folder: string, ...options: string[]) =>
  run("import", [folder, ...options], { DATABASE_URL: clone.url });

async function written(): Promise<string> {
  const [row] = await sql<{ counts: string }[]>`
    select concat_ws(' ', (select count(*) from app.products), (select count(*) from app.users), (select count(*) from app.orders), (select count(*) from app.user_bill),
      (select count(*) from app.imports), (select count(*) from app.staged_members)) as counts`;
  return row?.counts ?? "";
}

describe("a folder with an error is not imported, and the finding names file, line and column:", () => {
  let before: string;
  beforeEach(async () => {
    before = await written();
  });

  it.each<[string, Record<string, string | Buffer>, RegExp]>([
    [
      "a missing column",
      { "orders.csv": "order_no,uid\nn1,702\n" },
      /error +orders\.csv +1 +pay_price +is missing: the file has no such column/,
    ],
    [
      "a misspelt column",
      { "members.csv": "uid,nickname,refferer\n701,Ann,\n702,Bob,701\n" },
      /error +members\.csv +1 +refferer +is not a column of this file/,
    ],
    ["a missing file", { "order_lines.csv": "" }, /error +order_lines\.csv +1 +is empty: it has no header/],
    [
      "a row with too few values",
      { "members.csv": "uid,nickname\n701,Ann\n702\n" },
      /error +members\.csv +3 +has 1 values, but the header has 2/,
    ],
    [
      "quotes that do not match",
      { "members.csv": 'uid,nickname\n701,Ann\n702,"Bob\n' },
      /error +members\.csv +\d +has a value whose quotes do not match/,
    ],
    [
      "a file in UTF-16",
      { "members.csv": Buffer.from("\ufeffuid,nickname\n701,Ann\n", "utf16le") },
      /error +members\.csv +1 +is encoded in UTF-16/,
    ],
    [
      "bytes that are no text",
      {
        "members.csv": Buffer.concat([Buffer.from("uid,nickname\n701,"), Buffer.from([0xff, 0xff]), Buffer.from("\n")]),
      },
      /error +members\.csv +\d +has bytes near this line that are neither UTF-8 nor GBK/,
    ],
    [
      "an amount that is no number, after a value of two lines",
      { "members.csv": 'uid,nickname,commission\n701,"A\nnn",\n702,Bob,12.345\n' },
      /error +members\.csv +4 +commission +is not an amount of money with at most 2 decimals: 12\.345/,
    ],
    [
      "a value of 60 MB",
      { "members.csv": `uid,nickname\n701,Ann\n702,"${"x".repeat(60_000_000)}` },
      /error +members\.csv +3 +has a value of more than 1000000 characters: look for a quote that is not closed/,
    ],
    [
      "a header of 200,000 columns",
      { "members.csv": `uid${",nickname".repeat(200_000)}\n701\n` },
      /error +members\.csv +1 +has more than 1000 values/,
    ],
    [
      "backslashes that are escaped in some lines only",
      { "members.csv": "uid,nickname\n701,A\\/nn\n702,B\\\\/ob\n" },
      /error +members\.csv +3 +has backslashes that are escaped as MySQL does, and others that are not/,
    ],
    [
      "a loop of referrers",
      { "members.csv": "uid,referrer\n701,702\n702,701\n" },
      /error +members\.csv +2 +referrer +is part of a loop of referrers/,
    ],
    [
      "a sum that does not fit",
      { "orders.csv": example["orders.csv"]!.replace("received,3600", "received,4000") },
      /error +orders\.csv +2 +pay_price +is not 3600: the lines \(3600\).*: 4000/,
    ],
  ])("%s", async (name, files, finding) => {
    const { code, output } = await importFolder(folderOf(name, { ...example, ...files }));
    expect([code, output]).toEqual([1, expect.stringMatching(finding)]);
    expect(output).toContain("Nothing was imported.");
    expect(await written()).toBe(before);
  });

  it("a file that cannot be read, which ends the command", async () => {
    const folder = folderOf("unreadable", { ...example });
    rmSync(join(folder, "orders.csv"));
    mkdirSync(join(folder, "orders.csv"));
    expect(await importFolder(folder)).toMatchObject({ code: 2, output: expect.stringContaining("EISDIR") });
    expect(await written()).toBe(before);
  });

  it("a folder without files of a known form", async () => {
    expect(await importFolder(folderOf("nothing", { "other.csv": "a\n1\n" }))).toMatchObject({
      code: 2,
      output: expect.stringContaining("has neither members.csv nor eb_user.csv"),
    });
  });
});

/** In GBK: 李,雷 and 韩梅梅 and 旗舰套装. */
const gbk = (text: string) =>
  Buffer.concat(
    text.split(/(李|雷|韩梅梅|旗舰套装)/).map((part) => {
      const codes: Record<string, string> = {
        李: "c0ee",
        雷: "c0d7",
        韩梅梅: "baabc3b7c3b7",
        旗舰套装: "c6ecbda2ccd7d7b0",
      };
      return Buffer.from(codes[part] ?? Buffer.from(part).toString("hex"), "hex");
    }),
  );

describe("the neutral form", () => {
  it("is checked by a dry run, which writes nothing", async () => {
    const before = await written();
    const { code, output } = await importFolder(folderOf("dry", example), "--dry-run");
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/members +2 +2[\s\S]*The files can be imported\. Nothing was written\./),
    ]);
    expect(await written()).toBe(before);
  });

  it("is read in GBK and in UTF-8 with a mark", async () => {
    const folder = folderOf("encodings", {
      ...example,
      "members.csv": gbk(example["members.csv"]!),
      "products.csv": `\ufeff${example["products.csv"]}`,
    });
    const { code, output } = await importFolder(folder);
    expect([code, output]).toEqual([0, expect.stringContaining("Imported. reconcile() finds no difference.")]);
    expect(await sql`select uid, nickname, phone, spread_uid from app.users order by uid`).toEqual([
      { uid: "701", nickname: "韩梅梅", phone: "8613800000701", spread_uid: null },
      { uid: "702", nickname: "李,雷", phone: "8613800000702", spread_uid: "701" },
    ]);
    expect(await sql`select title from app.products`).toEqual([{ title: "旗舰套装" }]);
  });

  it("is not imported twice", async () => {
    const before = await written();
    expect(await importFolder(join(place, "encodings"))).toMatchObject({
      code: 0,
      output: expect.stringContaining("Everything in these files is imported already."),
    });
    expect(await written()).toBe(before);
  });

  it("has the columns that docs/import.md lists", async () => {
    const document = readFileSync(join(projectRoot, "docs/import.md"), "utf8");
    const columns = await sql<{ file: string; name: string }[]>`select file, name from app.import_columns()`;
    const listed = [...document.matchAll(/^### `(\w+)\.csv`\n([\s\S]*?)(?=^#)/gm)].flatMap(([, file, text]) =>
      [...text!.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => `${file}.${name}`),
    );
    expect(listed).toEqual(columns.map(({ file, name }) => `${file}.${name}`));
  });
});

describe("the texts of MySQL", () => {
  const title = JSON.stringify({
    truePrice: "3600.00",
    cart_num: 1,
    productInfo: { store_name: "礼盒", image: "http://old/a.png" },
  })
    .replaceAll("礼盒", "\\u793c\\u76d2")
    .replaceAll("/", "\\/");
  const escaped = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t");
  const lines =
    (...rows: string[][]) =>
    (delimiter: string, quote: string) =>
      rows
        .map((row) => row.map((value) => (value === "\\N" ? value : quote + value + quote)).join(delimiter))
        .join("\n") + "\n";

  it.each<[string, string, string, (text: string) => string, string]>([
    ["mysql --batch", "\t", "", (text) => escaped(text).replaceAll("\n", "\\n"), "a"],
    [
      "select into outfile, with commas and quotes",
      ",",
      '"',
      (text) => escaped(text).replaceAll("\n", "\\\n").replaceAll('"', '\\"'),
      "b",
    ],
    ["a CSV file with quotes that are doubled", ",", '"', (text) => text.replaceAll('"', '""'), "c"],
  ])("are read as they were in the tables: %s", async (_, delimiter, quote, write, name) => {
    const number = `88${name.charCodeAt(0)}`;
    const files = {
      "eb_store_product.csv": lines(["id", "store_name", "price", "is_queue_goods"], [number, "Old", "3600", "1"]),
      "eb_user.csv": lines(
        ["uid", "nickname", "phone", "spread_uid", "agent_level", "brokerage_price"],
        [number, write(`"A"\tn\\n\n雷`), "\\N", "0", "0", "0"],
      ),
      "eb_store_order.csv": lines(
        ["id", "order_id", "uid", "pay_price", "paid", "pay_time", "add_time", "status", "refund_status"],
        [number, `m${number}`, number, "3600", "1", "1700000000", "1700000000", "0", "0"],
      ),
      "eb_store_order_cart_info.csv": lines(["oid", "product_id", "cart_info"], [number, number, write(title)]),
      "eb_user_bill.csv": lines(["id", "uid", "pm", "title", "type", "number", "balance", "add_time"]),
    };
    const { code, output } = await importFolder(
      folderOf(
        `mysql ${name}`,
        Object.fromEntries(Object.entries(files).map(([file, text]) => [file, text(delimiter, quote)])),
      ),
    );
    expect([code, output]).toEqual([0, expect.stringContaining("Imported. reconcile() finds no difference.")]);
    expect(
      await sql`
      select u.nickname, u.phone, l.title from app.users as u join app.orders as o on o.uid = u.uid join app.order_lines as l on l.order_id = o.id where u.uid = ${number}`,
    ).toEqual([{ nickname: '"A" n\\n 雷', phone: null, title: "礼盒" }]);
  });
});

/**
 * A small old system of CRMEB: an order that was split into two parts, and one that keeps its goods beside the part of
 * a parcel.
 */
const crmeb: Record<string, string> = {
  "eb_store_product.csv": "id,store_name,price,is_queue_goods\n1,旗舰套装,3600,1\n",
  "eb_agent_level.csv": "id,name,grade\n11,一级,1\n",
  "eb_user.csv": "uid,nickname,phone,spread_uid,agent_level,brokerage_price\n801,Ann,,0,11,0\n802,Bob,,801,0,0\n",
  "eb_store_order.csv":
    "id,pid,order_id,uid,pay_price,paid,pay_time,add_time,pay_type,trade_no,status,refund_status\n" +
    "1,-1,c1,802,7200,1,1700000000,1700000000,weixin,w1,1,0\n2,1,c2,802,3600,1,1700000000,1700000000,weixin,w1,1,0\n3,1,c3,802,3600,1,1700000000,1700000000,weixin,w1,0,0\n" +
    "4,0,c4,801,3600,1,1700000000,1700000000,weixin,w4,4,0\n5,4,c4_123,801,3600,1,1700000000,1700000000,weixin,w4,1,0\n",
  "eb_store_order_cart_info.csv":
    "oid,product_id,cart_num,cart_info\n" +
    [
      [1, 2],
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 1],
    ]
      .map(([oid, units]) => `${oid},1,${units},"{""truePrice"":3600}"\n`)
      .join(""),
  "eb_user_bill.csv": "id,uid,pm,title,type,number,balance,add_time\n",
};

describe("the tables of CRMEB", () => {
  it("have each of the goods of a split order once, and the payment of its parts", async () => {
    const { code, output } = await importFolder(folderOf("split", crmeb));
    expect([code, output]).toEqual([0, expect.stringContaining("Imported. reconcile() finds no difference.")]);
    expect(await sql`select order_no, pay_ref from app.orders where order_no like 'c%' order by order_no`).toEqual([
      { order_no: "c2", pay_ref: "w1/c2" },
      { order_no: "c3", pay_ref: "w1/c3" },
      { order_no: "c4", pay_ref: "w4" },
    ]);
  });

  const refundHeader =
    "id,store_order_id,order_id,refund_type,refund_num,refunded_time,is_cancel,is_del,add_time,cart_info\n";
  const cart = (...lines: [number, number][]) =>
    `"${JSON.stringify(lines.map(([id, cart_num]) => ({ id: `k${id}`, cart_num }))).replaceAll('"', '""')}"`;
  /** Four orders of three and two units, in two lines. */
  const refunded: Record<string, string> = {
    ...crmeb,
    "eb_user.csv": "uid,nickname,phone,spread_uid,agent_level,brokerage_price\n801,Ann,,0,0,0\n",
    "eb_store_order.csv":
      "id,order_id,uid,pay_price,paid,pay_time,add_time,status,refund_status\n" +
      [1, 2, 3, 4].map((id) => `9${id},r${id},801,18000,1,1700000000,1700000000,1,0\n`).join(""),
    "eb_store_order_cart_info.csv":
      "oid,cart_id,product_id,cart_num,refund_num,cart_info\n" +
      [1, 2, 3, 4]
        .map(
          (id) =>
            `9${id},k${id}1,1,3,${id === 4 ? 0 : 2},"{""truePrice"":3600}"\n9${id},k${id}2,1,2,0,"{""truePrice"":3600}"\n`,
        )
        .join(""),
    "eb_store_order_refund.csv":
      refundHeader +
      `1,91,q1,1,2,0,0,0,1700003600,\n` + // requested, without its lines
      `2,92,q2,6,1,1700007200,0,0,1700003600,${cart([21, 1])}\n3,92,q3,5,1,0,0,0,1700003600,${cart([21, 1])}\n` + // a unit refunded, another on its way back
      `4,93,q4,1,2,0,1,0,1700003600,${cart([31, 2])}\n5,93,q5,3,2,0,0,0,1700003600,${cart([31, 2])}\n`, // cancelled, refused
  };

  it("have refunds that were only requested as requests, and those that were refused or cancelled not at all", async () => {
    const { code, output } = await importFolder(folderOf("refunds", refunded));
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(
        /warning +eb_store_order_cart_info\.csv +6 +refund_num +has units that eb_store_order_refund\.csv neither has as requested nor as refunded: they are not refunded: 2/,
      ),
    ]);
    expect(
      await sql`
      select o.order_no, r.refund_ref, r.state, r.amount, l.quantity from app.orders as o join app.refunds as r on r.order_id = o.id join app.refund_lines as l on l.refund_id = r.id
      where o.order_no in ('r1', 'r2', 'r3', 'r4') order by r.refund_ref`,
    ).toEqual([
      { order_no: "r1", refund_ref: "q1", state: "requested", amount: "7200.00", quantity: 2 },
      { order_no: "r2", refund_ref: "q2", state: "refunded", amount: "3600.00", quantity: 1 },
      { order_no: "r2", refund_ref: "q3", state: "requested", amount: "3600.00", quantity: 1 },
    ]);
  });

  it("have refunds of whole units, and say where another sum was paid back", async () => {
    const file = "eb_store_order_refund.csv";
    const [head, ...rows] = refunded[file]!.trimEnd().split("\n");
    const priced = [
      `${head},refunded_price`,
      ...rows.map((row) => `${row},${row.startsWith("2,") ? "500.00" : "3600.00"}`),
    ].join("\n");
    const { output } = await importFolder(folderOf("paid back", { ...refunded, [file]: `${priced}\n` }), "--dry-run");
    expect(output.match(/warning.*refunded_price.*/g)).toEqual([
      expect.stringMatching(
        /eb_store_order_refund\.csv +3 +refunded_price +is not the price of the refunded units, which are refunded in full here: 500\.00/,
      ),
    ]);
  });

  it("say before anything is written what is not imported", async () => {
    const { code, output } = await importFolder(
      folderOf("left out", {
        ...crmeb,
        "eb_user.csv":
          "uid,nickname,phone,spread_uid,agent_level,brokerage_price,now_money,integral,status,is_del\n811,Ann,13800000811,0,0,0,10.50,0,1,0\n812,Bob,,811,0,0,2.00,7,0,0\n813,Cid,,811,0,0,0.00,0,1,1\n801,Eve,,0,0,0,0,0,1,0\n802,Eve,,0,0,0,0,0,1,0\n",
        "eb_store_product.csv": "id,store_name,price,is_queue_goods,image\n1,旗舰套装,3600,1,http://old/a.png\n",
        "eb_user_extract.csv": "id,uid,extract_price,status\n1,811,100.00,0\n2,811,50.00,1\n3,812,25.00,-1\n",
        "eb_user_brokerage.csv":
          "id,uid,pm,title,type,number,balance,add_time,frozen_time\n1,811,1,x,x,30.00,30.00,1700000000,4000000000\n2,811,1,x,x,30.00,60.00,1700000000,0\n",
      }),
      "--dry-run",
    );
    expect(code).toBe(0);
    const warnings: [string, RegExp][] = [
      [
        "wallets",
        /warning +eb_user\.csv +2 +now_money +is not imported: there are no wallets here.*: 12\.50 in 2 records/,
      ],
      ["points", /warning +eb_user\.csv +3 +integral +is not imported.*: 7\.00 in 1 record/],
      [
        "a banned member",
        /warning +eb_user\.csv +3 +uid +is deleted or banned: the member is imported with all balances, but nobody can claim them: 812/,
      ],
      ["a deleted member", /warning +eb_user\.csv +4 +uid +is deleted or banned.*: 813/],
      [
        "pictures",
        /warning +eb_store_product\.csv +2 +image +is not imported: add the pictures to the products in the console: 1 record/,
      ],
      [
        "open withdrawals",
        /warning +eb_user_extract\.csv +2 +extract_price +is an open withdrawal, whose amount is in no balance.*: 100\.00 in 1 record/,
      ],
      ["frozen commission", /warning +eb_user_brokerage\.csv +2 +number +is still frozen.*: 30\.00 in 1 record/],
    ];
    for (const [what, warning] of warnings) expect(output, what).toMatch(warning);
    expect((await importFolder(folderOf("split", crmeb), "--dry-run")).output).toMatch(
      /warning +eb_user_extract\.csv +1 +is missing: open withdrawals, whose amounts are in no balance, cannot be seen/,
    );
  });

  it.each<[string, string, (text: string) => string, RegExp]>([
    [
      "units that are refunded or requested without the table that says which",
      "eb_store_order_cart_info.csv",
      (text) =>
        text
          .replace("cart_num,", "cart_num,refund_num,")
          .replaceAll(/^(4,1,1),/gm, "$1,1,")
          .replaceAll(/^(\d,1,\d),"/gm, '$1,0,"'),
      /error +eb_store_order_cart_info\.csv +5 +refund_num +has units that are refunded, or for which a refund is only requested: eb_store_order_refund\.csv says which, but is missing: 1/,
    ],
    [
      "a refund of an unknown order",
      "eb_store_order_refund.csv",
      () => `${refundHeader}1,77,q,1,1,0,0,0,0,\n`,
      /error +eb_store_order_refund\.csv +2 +store_order_id +is not an id of eb_store_order\.csv: 77/,
    ],
    [
      "a refund whose lines are not known",
      "eb_store_order_refund.csv",
      () => `${refundHeader}1,4,q,1,1,0,0,0,0,\n`,
      /error +eb_store_order_refund\.csv +2 +refund_num +is not the number of units that the lines of the order have: export the column cart_info, too: 1/,
    ],
    [
      "a level that eb_agent_level.csv does not have",
      "eb_user.csv",
      (text) => text.replace(",0,11,", ",0,1,"),
      /error +eb_user\.csv +2 +agent_level +is not an id of eb_agent_level\.csv: 1/,
    ],
    [
      "orders whose parts come before them",
      "eb_store_order.csv",
      (text) => text.replace(/(4,0,c4.*\n)(5,4,c4.*\n)/, "$2$1"),
      /error +eb_store_order\.csv +6 +id +has parts in lines before it: sort the file by id: 4/,
    ],
  ])("are not imported with %s", async (name, file, change, finding) => {
    const before = await written();
    const { code, output } = await importFolder(folderOf(name, { ...crmeb, [file]: change(crmeb[file] ?? "") }));
    expect([code, output]).toEqual([1, expect.stringMatching(finding)]);
    expect(await written()).toBe(before);
  });
});

describe("an imported member", () => {
  it("is given to the account of another member by an administrator", async () => {
    await sql`insert into auth.users (email_confirmed_at, id, email) values (now(), gen_random_uuid(), 'claims@example.com')`;
    const [account] = await sql<
      { uid: string }[]
    >`select m.uid from app.users as m join auth.users as u on u.id = m.auth_id where u.email = 'claims@example.com'`;
    const claim = () => run("import", ["--claim", "802", "--for", account!.uid], { DATABASE_URL: clone.url });
    expect(await claim()).toMatchObject({
      code: 0,
      output: expect.stringContaining(`The account of member ${account!.uid} has the imported member 802 now.`),
    });
    expect(
      await sql`select u.email from app.users as m join auth.users as u on u.id = m.auth_id where m.uid = 802`,
    ).toEqual([{ email: "claims@example.com" }]);
    expect(await claim()).toMatchObject({
      code: 1,
      output: expect.stringContaining(`No account has the member ${account!.uid} of this store.`),
    });
  });

  it.each([[[]], [["--claim", "802"]], [["folder", "--abandon"]]])(
    "is not imported and not claimed by %j",
    async (options) => {
      expect(await run("import", options, { DATABASE_URL: clone.url })).toMatchObject({ code: 2 });
    },
  );
});

describe("an import that was stopped", () => {
  it("is continued with the same files only, or abandoned", async () => {
    await sql`select app.begin_import('neutral', ${"f".repeat(64)}, now())`;
    await sql`insert into app.staged_members (line, uid, nickname) values (2, '701', 'Left by a run that was killed')`;
    const before = await written();
    expect(await importFolder(join(place, "encodings"))).toMatchObject({
      code: 2,
      output: expect.stringMatching(/is unfinished, and its files were others[\s\S]*--abandon/),
    });
    expect(await written()).toBe(before.replace(/ \d+$/, " 0"));
    expect(await run("import", ["--abandon"], { DATABASE_URL: clone.url })).toMatchObject({
      code: 0,
      output: expect.stringContaining("is ended. Its 0 products, 0 members, 0 orders and 0 old bill rows stay."),
    });
    expect(await run("import", ["--abandon"], { DATABASE_URL: clone.url })).toMatchObject({
      code: 0,
      output: expect.stringContaining("No import is unfinished."),
    });
    expect(await sql`select from app.imports where finished_at is null`).toHaveLength(0);
  });
});

describe("an old system in the tables of CRMEB", () => {
  const members = testSize.importedMembers;
  const orders = members * 3;

  /** Starts the command and kills it as soon as the database has so many imported orders. */
  async function stopAt(folder: string, least: number): Promise<void> {
    const child = spawn(
      process.execPath,
      [join(projectRoot, "scripts/bootstrap.mjs"), "commands/import.ts", folder, "--batch=500"],
      {
        env: { ...process.env, DATABASE_URL: clone.url },
        stdio: "ignore",
      },
    );
    const ended = once(child, "exit");
    for (let done = 0; done < least && child.exitCode === null;) {
      const [row] = await sql<
        { done: number }[]
      >`select coalesce(sum(orders + members), 0)::integer as done from app.imports`;
      done = row?.done ?? 0;
    }
    child.kill("SIGKILL");
    await ended;
    expect(child.signalCode).toBe("SIGKILL");
    const findings = await sql<{ check_name: string }[]>`select distinct check_name from app.reconcile()`;
    expect(findings).toEqual([{ check_name: "import_is_finished" }]);
  }

  it("is imported completely by three runs of which two are stopped, and reconcile() finds nothing", async () => {
    await clone.drop();
    await sql.end();
    clone = await cloneDatabase();
    sql = connect(clone.url);
    const folder = join(place, "crmeb");
    generateOldSystem(folder, { members, orders });
    await stopAt(folder, members / 2);
    await stopAt(folder, members + orders / 2);
    const { code, output } = await importFolder(folder);
    expect([code, output]).toEqual([0, expect.stringContaining("Imported. reconcile() finds no difference.")]);
    const [row] = await sql<Record<string, string>[]>`
      select (select count(*) from app.users) as members, (select count(*) from app.orders) as orders, (select count(*) from app.imported_bill) as bill,
        (select count(*) from app.imports) as imports, (select count(*) from app.settlements where state <> 'imported') as others, (select count(*) from app.staged_orders) as staged`;
    const [{ parts } = { parts: 0 }] = await sql<
      { parts: number }[]
    >`select count(*)::integer as parts from app.orders where pay_ref like '42000s%/cp%'`;
    expect(parts).toBeGreaterThan(orders / 100);
    expect(row).toEqual({
      members: `${members}`,
      orders: `${orders}`,
      bill: `${orders >> 1}`,
      imports: "1",
      others: "0",
      staged: "0",
    });
    const recount = await sql`
      select from app.user_balances as b join app.users as u on u.uid = b.uid and u.agent_level < app.top_grade() left join app.computed_task_counts(null) as c on c.uid = b.uid
      where (b.own_orders, b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members)
        <> (coalesce(c.own_orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0), coalesce(c.direct_members, 0), coalesce(c.umbrella_members, 0))`;
    expect(recount).toHaveLength(0);
  }, 1_800_000);
});
