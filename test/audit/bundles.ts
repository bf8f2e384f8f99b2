import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type postgres from "postgres";
import { checkBundle, type Verdict } from "../../scripts/audit/check_bundle.ts";
import { hashOfText, MANIFEST, type Manifest } from "../../scripts/audit/manifest.ts";
import { writeBundle } from "../../scripts/audit/write_bundle.ts";

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

/** Changes a file, and the manifest with it, as someone would who writes the bundle. */
export function edit(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  const manifest = JSON.parse(read(folder, MANIFEST)) as Manifest;
  manifest.files[name]!.sha256 = hashOfText(text);
  const [, called] = /^functions\/(\w+)\.sql$/.exec(name) ?? [];
  if (called !== undefined) manifest.functions[called] = hashOfText(text);
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest));
}

/** Changes the rows of a file, and the manifest with it. */
export const editRows = <Row>(folder: string, name: string, change: (rows: Row[]) => Row[]): void =>
  edit(
    folder,
    name,
    change(rowsOf<Row>(folder, name))
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(""),
  );
