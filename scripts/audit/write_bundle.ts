import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { monthSecret, type Seal } from "../../functions/_shared/secrets/seals.ts";
import { Problem } from "../ground/problem.ts";
import { accountPlan } from "../journal/accounts.ts";
import { formats } from "../journal/formats.ts";
import { writeJournal } from "../journal/write_journal.ts";
import { BOUNDS, engineOf, MEMBERS, rowFiles, type Span } from "./export.ts";
import { BundleFile, FORMAT, functionsOf, MANIFEST, type Manifest } from "./manifest.ts";

export interface Bundle {
  folder: string;
  month: string;
  /** The secret of the store's seals. Without it, the bundle has no salts. */
  secret: Uint8Array<ArrayBuffer> | undefined;
  show: (text: string) => void;
}

/**
 * Writes the bundle of a month: everything from which its settlements can be decided again, and what was booked.
 * Precondition: the connection reads one snapshot.
 */
export async function writeBundle(sql: postgres.Sql, { folder, month, secret, show }: Bundle): Promise<Manifest> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Problem(`${folder} is not empty.`, "Name another folder with --out.");
  const [span] = await sql.unsafe<(Span & { begins_at: string })[]>(BOUNDS, [month]);
  const files: Manifest["files"] = {};
  const file = async (name: string, work: (write: (text: string) => Promise<void>) => Promise<unknown>) => {
    const written = new BundleFile(folder, name);
    await work((text) => written.write(text));
    files[name] = await written.end();
    show(name);
  };
  /** Writes a line for each row of a query, which has one column, the text. */
  const lines = (name: string, query: string, parameters: string[] = []) =>
    file(name, async (write) => {
      const rows = sql.unsafe<{ text: string }[]>(query, parameters);
      for await (const chunk of rows.cursor(1000)) await write(chunk.map(({ text }) => `${text}\n`).join(""));
    });

  for (const [name, text] of await engineOf(sql)) await file(name, (write) => write(text));

  const [members] = await sql.unsafe<{ uids: string }[]>(MEMBERS, [span!.first_position, span!.last_position]);
  for (const [name, { query, parameters }] of Object.entries(rowFiles(span!, members!.uids)))
    await lines(name, `select f.row::text as text from (${query}) as f`, parameters);
  const period = [span!.begins_at, span!.ends_at];
  await lines(
    "bill.txt",
    "select l.text from app.leaves($1::timestamptz, $2::timestamptz) as l order by l.add_time, l.id",
    period,
  );
  const format = formats.hledger;
  await file("journal.journal", (write) => writeJournal(sql, { month, format, accounts: accountPlan(), write, show }));
  const [sealed] = await sql<{ seal: Seal | null }[]>`select app.seal_json(app.month_start(${month})) as seal`;
  if (sealed!.seal && secret)
    await file("seal.json", async (write) =>
      write(`${JSON.stringify({ seal: sealed!.seal, secret: await monthSecret(secret, month) })}\n`),
    );

  const { begins_at, ends_at, first_position, last_position } = span!;
  const manifest: Manifest = {
    version: FORMAT,
    month,
    begins_at,
    ends_at,
    first_position,
    last_position,
    functions: functionsOf(files),
    files,
  };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flag: "wx" });
  return manifest;
}
