import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type postgres from "postgres";
import { checkBundle, type Verdict } from "../../scripts/audit/check_bundle.ts";
import { functionsOf, hashOf, MANIFEST, type Manifest } from "../../scripts/audit/manifest.ts";
import { writeBundle } from "../../scripts/audit/write_bundle.ts";
import { backdate } from "../journal/store.ts";
import { prepareDatabase } from "../../scripts/histories/database_store.ts";
import { newSealer, sealedStore } from "../seals/store.ts";
import { cloneDatabase, connect } from "../support/index.ts";

/** The sealed month of a store after random histories in which most was settled, and its bundle. */
export async function sealedBundle() {
  const database = await cloneDatabase();
  const sql = connect(database.url);
  await prepareDatabase(sql);
  await backdate(sql);
  const sealer = await newSealer();
  await sealedStore(sql, sealer);
  const [row] = await sql<{ month: string }[]>`
    select to_char(app.month_of(s.settled_at), 'YYYY-MM') as month from app.settlements as s
    where s.commission > 0 and app.month_of(s.settled_at) in (select m.month from app.month_seals as m)
    group by 1 order by count(*) desc, 1 limit 1`;
  const { month } = row!;
  const folder = mkdtempSync(join(tmpdir(), "audit-"));
  await writeBundle(sql, { folder, month, secret: sealer.secret, show: () => undefined });
  return {
    sql,
    month,
    folder,
    /** Works with a copy, which the work may change. */
    async withCopy<T>(work: (copy: string) => Promise<T>): Promise<T> {
      const copy = mkdtempSync(join(tmpdir(), "audit-"));
      try {
        cpSync(folder, copy, { recursive: true });
        return await work(copy);
      } finally {
        rmSync(copy, { recursive: true });
      }
    },
    async drop(): Promise<void> {
      rmSync(folder, { recursive: true });
      await sql.end();
      await database.drop();
    },
  };
}

/** Works with the bundle of a month. */
export async function withBundle<T>(
  sql: postgres.Sql | postgres.TransactionSql,
  month: string,
  secret: Uint8Array<ArrayBuffer> | undefined,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "audit-"));
  try {
    await writeBundle(sql as postgres.Sql, { folder, month, secret, show: () => undefined });
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const check = (folder: string): Promise<Verdict> => checkBundle(folder, () => undefined);

export const read = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");

/** The rows of a file. */
export const rowsOf = <Row>(folder: string, name: string): Row[] =>
  read(folder, name)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);

/** Writes a file, and the manifest with it, as someone would who writes the bundle. */
export function edit(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  editManifest(folder, (manifest) => {
    const files = { ...manifest.files, [name]: { lines: text.split("\n").length - 1, sha256: hashOf(text) } };
    return { ...manifest, files, functions: functionsOf(files) };
  });
}

export const editManifest = (folder: string, change: (manifest: Manifest) => unknown): void =>
  writeFileSync(join(folder, MANIFEST), JSON.stringify(change(JSON.parse(read(folder, MANIFEST)) as Manifest)));

/** Changes the rows of a file, and the manifest with it. */
export const editRows = <Row>(folder: string, name: string, change: (rows: Row[]) => Row[]): void =>
  edit(
    folder,
    name,
    change(rowsOf<Row>(folder, name))
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(""),
  );
