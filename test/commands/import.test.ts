import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/stack/paths.ts";
import { cloneDatabase, type ClonedDatabase, connect, testSize } from "../support/index.ts";
import { generateOldSystem } from "../support/old_system.ts";
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
  "members.csv": 'uid,nickname,phone,referrer,commission\n702,"李,雷",13800000702,701,\n701,韩梅梅,13800000701,,12.50\n',
  "orders.csv": "order_no,uid,referrer,state,pay_price,placed_at,paid_at\nn1,702,701,received,3600,2025-01-01T08:00:00+08:00,2025-01-01T08:01:00+08:00\n",
  "order_lines.csv": "order_no,line_no,product_id,quantity,price\nn1,1,F1,1,3600\n",
};

const importFolder = (folder: string, ...options: string[]) => run("import", [folder, ...options], { DATABASE_URL: clone.url });

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
    ["a missing column", { "orders.csv": "order_no,uid\nn1,702\n" }, /error +orders\.csv +1 +pay_price +is missing: the file has no such column/],
    ["a misspelt column", { "members.csv": "uid,nickname,refferer\n701,Ann,\n702,Bob,701\n" }, /error +members\.csv +1 +refferer +is not a column of this file/],
    ["a missing file", { "order_lines.csv": "" }, /error +order_lines\.csv +1 +is empty: it has no header/],
    ["a row with too few values", { "members.csv": "uid,nickname\n701,Ann\n702\n" }, /error +members\.csv +3 +has 1 values, but the header has 2/],
    ["quotes that do not match", { "members.csv": 'uid,nickname\n701,Ann\n702,"Bob\n' }, /error +members\.csv +\d +has a value whose quotes do not match/],
    ["a file in UTF-16", { "members.csv": Buffer.from("\ufeffuid,nickname\n701,Ann\n", "utf16le") }, /error +members\.csv +1 +is encoded in UTF-16/],
    ["bytes that are no text", { "members.csv": Buffer.concat([Buffer.from("uid,nickname\n701,"), Buffer.from([0xff, 0xff]), Buffer.from("\n")]) }, /error +members\.csv +\d +has bytes near this line that are neither UTF-8 nor GBK/],
    ["an amount that is no number, after a value of two lines", { "members.csv": 'uid,nickname,commission\n701,"A\nnn",\n702,Bob,12.345\n' }, /error +members\.csv +4 +commission +is not an amount of money with at most 2 decimals: 12\.345/],
    ["a loop of referrers", { "members.csv": "uid,referrer\n701,702\n702,701\n" }, /error +members\.csv +2 +referrer +is part of a loop of referrers/],
    ["a sum that does not fit", { "orders.csv": example["orders.csv"]!.replace("received,3600", "received,4000") }, /error +orders\.csv +2 +pay_price +is not 3600: the lines \(3600\).*: 4000/],
  ])("%s", async (name, files, finding) => {
    const { code, output } = await importFolder(folderOf(name, { ...example, ...files }));
    expect([code, output]).toEqual([1, expect.stringMatching(finding)]);
    expect(output).toContain("Nothing was imported.");
    expect(await written()).toBe(before);
  });

  it("a folder without files of a known form", async () => {
    expect(await importFolder(folderOf("nothing", { "other.csv": "a\n1\n" }))).toMatchObject({ code: 2, output: expect.stringContaining("has neither members.csv nor eb_user.csv") });
  });
});

/** In GBK: 李,雷 and 韩梅梅 and 旗舰套装. */
const gbk = (text: string) => Buffer.concat(text.split(/(李|雷|韩梅梅|旗舰套装)/).map((part) => {
  const codes: Record<string, string> = { 李: "c0ee", 雷: "c0d7", 韩梅梅: "baabc3b7c3b7", 旗舰套装: "c6ecbda2ccd7d7b0" };
  return Buffer.from(codes[part] ?? Buffer.from(part).toString("hex"), "hex");
}));

describe("the neutral form", () => {
  it("is checked by a dry run, which writes nothing", async () => {
    const before = await written();
    const { code, output } = await importFolder(folderOf("dry", example), "--dry-run");
    expect([code, output]).toEqual([0, expect.stringMatching(/members +2 +2[\s\S]*The files can be imported\. Nothing was written\./)]);
    expect(await written()).toBe(before);
  });

  it("is read in GBK and in UTF-8 with a mark", async () => {
    const folder = folderOf("encodings", {
      ...example, "members.csv": gbk(example["members.csv"]!), "products.csv": `\ufeff${example["products.csv"]}`,
    });
    const { code, output } = await importFolder(folder);
    expect([code, output]).toEqual([0, expect.stringContaining("Imported. reconcile() finds no difference.")]);
    expect(await sql`select uid, nickname, phone, spread_uid from app.users order by uid`).toEqual([
      { uid: "701", nickname: "韩梅梅", phone: "8613800000701", spread_uid: null }, { uid: "702", nickname: "李,雷", phone: "8613800000702", spread_uid: "701" },
    ]);
    expect(await sql`select title from app.products`).toEqual([{ title: "旗舰套装" }]);
  });

  it("is not imported twice", async () => {
    const before = await written();
    expect(await importFolder(join(place, "encodings"))).toMatchObject({ code: 0, output: expect.stringContaining("Everything in these files is imported already.") });
    expect(await written()).toBe(before);
  });

  it("has the columns that docs/import.md lists", async () => {
    const document = readFileSync(join(projectRoot, "docs/import.md"), "utf8");
    const columns = await sql<{ file: string; name: string }[]>`select file, name from app.import_columns()`;
    const listed = [...document.matchAll(/^### `(\w+)\.csv`\n([\s\S]*?)(?=^#)/gm)].flatMap(([, file, text]) => [...text!.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => `${file}.${name}`));
    expect(listed).toEqual(columns.map(({ file, name }) => `${file}.${name}`));
  });
});

describe("an old system in the tables of CRMEB", () => {
  const members = testSize.importedMembers;
  const orders = members * 3;

  /** Starts the command and kills it as soon as the database has so many imported orders. */
  async function stopAt(folder: string, least: number): Promise<void> {
    const child = spawn(process.execPath, [join(projectRoot, "scripts/bootstrap.mjs"), "commands/import.ts", folder, "--batch=500"], {
      env: { ...process.env, DATABASE_URL: clone.url }, stdio: "ignore",
    });
    const ended = once(child, "exit");
    for (let done = 0; done < least && child.exitCode === null; ) {
      const [row] = await sql<{ done: number }[]>`select coalesce(sum(orders + members), 0)::integer as done from app.imports`;
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
    expect(row).toEqual({ members: `${members}`, orders: `${orders}`, bill: `${orders >> 1}`, imports: "1", others: "0", staged: "0" });
    const recount = await sql`
      select from app.user_balances as b join app.users as u on u.uid = b.uid and u.agent_level < app.top_grade() left join app.recount_counters(null) as c on c.uid = b.uid
      where (b.own_orders, b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members)
        <> (coalesce(c.own_orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0), coalesce(c.direct_members, 0), coalesce(c.umbrella_members, 0))`;
    expect(recount).toHaveLength(0);
  }, 600_000);
});
