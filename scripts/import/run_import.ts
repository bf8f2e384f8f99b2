import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type postgres from "postgres";
import { bar, step } from "../ground/progress.ts";
import { Problem } from "../ground/problem.ts";
import { crmebForm } from "./crmeb_form.ts";
import { type FileFinding, type Writing, writingOf } from "./csv_file.ts";
import type { Form } from "./form.ts";
import { neutralForm } from "./neutral_form.ts";
import { stagedColumns, stageFile } from "./stage_file.ts";

export type Finding = Required<FileFinding>;

/** The rows of a kind: in the files, and how many of them are not imported yet. */
interface Count {
  file: string;
  total: number;
  new_rows: number;
}

export interface Result {
  form: string;
  findings: Finding[];
  counts: Count[];
  is_imported: boolean;
  /** Findings of reconcile() after the import. */
  differences: number;
}

async function formOf(folder: string, sql: postgres.Sql): Promise<Form> {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Problem(
      `${folder} is not a folder.`,
      "Name the folder that holds the CSV files. docs/import.md describes them.",
    );
  const names = readdirSync(folder);
  const forms = [crmebForm(names), await neutralForm(sql)].filter((form) =>
    names.includes(form.name === "crmeb" ? "eb_user.csv" : "members.csv"),
  );
  const [form] = forms;
  if (!form)
    throw new Problem(
      `${folder} has neither members.csv nor eb_user.csv.`,
      "Name the folder that holds the CSV files. docs/import.md describes them.",
    );
  if (forms.length > 1)
    throw new Problem(`${folder} has members.csv and eb_user.csv.`, "Keep the files of one form only.");
  return form;
}

/** @returns the SHA-256 of the files of the form that the folder has */
async function hashOf(folder: string, form: Form): Promise<string> {
  const hash = createHash("sha256");
  for (const path of form.files.map(({ name }) => join(folder, name)).filter((path) => existsSync(path))) {
    hash.update(`${basename(path)} ${statSync(path).size}\n`);
    for await (const bytes of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(bytes as Buffer);
  }
  return hash.digest("hex");
}

interface Unfinished {
  started_at: string;
  source_hash: string;
  members: number;
  orders: number;
}

async function unfinishedImport(sql: postgres.Sql): Promise<Unfinished | undefined> {
  const [row] = await sql<
    Unfinished[]
  >`select app.utc(started_at) as started_at, source_hash, members, orders from app.imports where finished_at is null`;
  return row;
}

/** @throws Problem if another command imports into this database now */
async function lockImport(sql: postgres.Sql): Promise<void> {
  const [lock] = await sql<{ taken: boolean }[]>`select app.lock_import() as taken`;
  if (!lock?.taken)
    throw new Problem(
      "Another import is running on this database.",
      "Wait until it has ended, then run the command again.",
    );
}

/** An import that was ended before all rows were imported. */
export interface AbandonedImport {
  started_at: string;
  products: number;
  members: number;
  orders: number;
  bill_rows: number;
}

/** Ends an import that was stopped. @returns undefined if there is none */
export async function abandonImport(sql: postgres.Sql): Promise<AbandonedImport | undefined> {
  await lockImport(sql);
  await sql`select app.clear_import()`;
  const [row] = await sql<AbandonedImport[]>`
    select app.utc(started_at) as started_at, products, members, orders, bill_rows from app.abandon_import(clock_timestamp())`;
  return row;
}

async function stage(sql: postgres.Sql, folder: string, form: Form): Promise<Finding[]> {
  const tables = await stagedColumns(sql);
  const findings: FileFinding[] = [];
  const writings = new Map<string, Writing>();
  for (const { name, isRequired, absence } of form.files) {
    if (existsSync(join(folder, name))) {
      const writing = await writingOf(join(folder, name));
      if ("encoding" in writing) writings.set(name, writing);
      else findings.push(writing);
    } else if (isRequired) findings.push({ file: name, line: 1, column: "", finding: "is missing" });
    else if (absence !== undefined)
      findings.push({ severity: "warning", file: name, line: 1, column: "", finding: `is missing: ${absence}` });
  }
  const othersHaveEscapes = [...writings.values()].some(({ hasEscapes }) => hasEscapes === true);
  for (const file of form.files) {
    const writing = writings.get(file.name);
    if (!writing) continue;
    const source = { path: join(folder, file.name), writing, othersHaveEscapes };
    findings.push(
      ...(await step(`Reading ${file.name}`, (show) =>
        stageFile(sql, file, source, tables, (records) => show(`${records} records`)),
      )),
    );
  }
  findings.push(...(form.finish?.() ?? []));
  return findings.map((finding) => ({ severity: "error", value: null, total: 1, ...finding }));
}

async function check(sql: postgres.Sql, form: Form): Promise<Finding[]> {
  const rows = await sql<
    {
      severity: Finding["severity"];
      file: string;
      line: number;
      name: string;
      finding: string;
      value: string | null;
      total: string;
    }[]
  >`
    select * from app.check_import(clock_timestamp())`;
  return rows.map(({ file, name, total, ...row }) => ({
    ...row,
    ...form.origin({ table: file, column: name }),
    total: Number(total),
  }));
}

/** Calls a function of the import until it says that nothing is left, one transaction at a time. */
async function batches(
  label: string,
  { total }: Count,
  batch: number,
  next: (after: number) => Promise<number | null>,
): Promise<void> {
  if (total === 0) return;
  await step(label, async (show) => {
    let done = 0;
    for (let after: number | null = 0; after !== null; done += batch) {
      show(bar(done, total, `${Math.min(done, total)} of ${total}`));
      after = await next(after);
    }
  });
}

async function book(sql: postgres.Sql, form: Form, hash: string, counts: Count[], batch: number): Promise<void> {
  const count = (file: string) => counts.find((row) => row.file === file) ?? { file, total: 0, new_rows: 0 };
  const call = (name: string) => async (after: number) => {
    const [row] = await sql<
      { last: number | null }[]
    >`select ${sql.unsafe(`app.${name}`)}(${after}, ${batch}, clock_timestamp()) as last`;
    return row?.last ?? null;
  };
  await sql`select from app.begin_import(${form.name}, ${hash}, clock_timestamp())`;
  await sql`select app.prepare_import()`;
  await batches("Importing products", count("products"), batch, call("import_products"));
  await batches("Importing members", count("members"), batch, call("import_members"));
  await batches("Importing orders", count("orders"), batch, call("import_orders"));
  const sources = await sql<
    { source: string; rows: number }[]
  >`select source, count(*)::integer as rows from app.staged_bill group by source order by source`;
  for (const { source, rows } of sources) {
    await batches(
      `Importing old bill rows (${source})`,
      { file: "bill", total: rows, new_rows: rows },
      batch,
      async (after) => {
        const [row] = await sql<
          { last: number | null }[]
        >`select app.import_bill(${source}, ${after}, ${batch}) as last`;
        return row?.last ?? null;
      },
    );
  }
  await step("Summing the teams", async () => {
    // The queries that follow read whole tables that were almost empty when they were last analyzed, if ever.
    await sql`analyze app.users, app.user_balances, app.orders, app.order_lines, app.settlements, app.user_bill, app.refunds, app.refund_lines`;
    // A member with several changes is summed once if they are taken together.
    for (let more = true; more;) {
      const [row] = await sql<{ more: boolean }[]>`select app.sum_team_changes(1000000) as more`;
      more = row?.more ?? false;
    }
  });
  await sql`select from app.finish_import(clock_timestamp())`;
}

/**
 * Imports a folder: reads all files into staging tables, checks them, and writes the rows that are not imported yet, in
 * transactions of `batch` rows. A run that was stopped is continued by the next one with the same files.
 * @param report called with the findings and counts before anything is written
 */
export async function runImport(
  sql: postgres.Sql,
  folder: string,
  { dryRun, batch }: { dryRun: boolean; batch: number },
  report: (findings: Finding[], counts: Count[]) => void,
): Promise<Result> {
  const form = await formOf(folder, sql);
  await lockImport(sql);
  await sql`select app.clear_import()`;
  const hash = await hashOf(folder, form);
  const unfinished = await unfinishedImport(sql);
  if (!dryRun && unfinished && unfinished.source_hash !== hash) {
    throw new Problem(
      `The import that began at ${unfinished.started_at} is unfinished, and its files were others. It has imported ${unfinished.members} members and ${unfinished.orders} orders.`,
      "Run the command with those files to continue it, or end it: npm run import -- --abandon",
    );
  }
  try {
    const findings = await stage(sql, folder, form);
    if (!findings.some(({ severity }) => severity === "error"))
      findings.push(...(await step("Checking", () => check(sql, form))));
    const hasErrors = findings.some(({ severity }) => severity === "error");
    const counts = hasErrors
      ? []
      : (await sql<Record<keyof Count, string>[]>`select * from app.count_import()`).map(
          ({ file, total, new_rows }) => ({
            file,
            total: Number(total),
            new_rows: Number(new_rows),
          }),
        );
    report(findings, counts);
    const isNeeded = unfinished !== undefined || counts.some(({ new_rows }) => new_rows > 0);
    const result: Result = { form: form.name, findings, counts, is_imported: false, differences: 0 };
    if (hasErrors || dryRun || !isNeeded) return result;
    await book(sql, form, hash, counts, batch);
    const [row] = await step(
      "Reconciling",
      () => sql<{ differences: number }[]>`select count(*)::integer as differences from app.reconcile()`,
    );
    return { ...result, is_imported: true, differences: row?.differences ?? 0 };
  } finally {
    await sql`select app.clear_import()`;
  }
}
