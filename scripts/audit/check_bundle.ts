import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { isSignedBy, type Seal } from "../../functions/_shared/seals.ts";
import type { ShowDetail } from "../ground/progress.ts";
import { fileFindings, hashOfText, type Manifest, readManifest } from "./manifest.ts";
import { rootOfRows } from "./root.ts";

const DECIDE = readFileSync(new URL("decide.sql", import.meta.url), "utf8");
const COMPARE = readFileSync(new URL("compare.sql", import.meta.url), "utf8");

/** Where what was booked is not what was decided again. */
export interface Difference {
  subject: string;
  decided: string;
  booked: string;
}

export interface Verdict {
  month: string;
  /** What is wrong with the bundle itself, in sentences. */
  findings: string[];
  /** The number of settlements that were decided again. */
  settlements: number;
  differences: Difference[];
  isSealed: boolean;
  /** A hash over the hashes of all functions: equal for stores with the same functions. */
  functions: string;
}

/** Checks a bundle: the hashes of its files, the seal of its bill, and every settlement. Reads nothing but the folder. */
export async function checkBundle(folder: string, show: ShowDetail): Promise<Verdict> {
  const manifest = readManifest(folder);
  const findings = await fileFindings(folder, manifest);
  for (const [name, hash] of Object.entries(manifest.functions)) {
    const path = join(folder, "functions", `${name}.sql`);
    if (existsSync(path) && hashOfText(readFileSync(path, "utf8")) !== hash)
      findings.push(`app.${name}: its text was changed, for it does not have the hash of the manifest.`);
  }
  const isSealed = "seal.json" in manifest.files && existsSync(join(folder, "seal.json"));
  if (isSealed) findings.push(...(await sealFindings(folder, manifest)));
  show("deciding");
  const decided = await decideAgain(folder, manifest, show).catch((error: unknown) => {
    findings.push(`The settlements could not be decided again: ${(error as Error).message}`);
    return { settlements: 0, differences: [] };
  });
  const functions = hashOfText(
    Object.entries(manifest.functions)
      .map(([name, hash]) => `${name} ${hash}\n`)
      .join(""),
  );
  return { month: manifest.month, findings, isSealed, functions, ...decided };
}

const linesOf = (folder: string, name: string) => createInterface({ input: createReadStream(join(folder, name)), crlfDelay: Infinity });

async function sealFindings(folder: string, { month }: Manifest): Promise<string[]> {
  const { seal, secret } = JSON.parse(readFileSync(join(folder, "seal.json"), "utf8")) as { seal: Seal; secret: string };
  const found = await rootOfRows(linesOf(folder, "bill.txt"), secret);
  const findings: string[] = [];
  if (seal.month !== month) findings.push(`seal.json: it is the seal of ${seal.month}.`);
  if (found.rows !== seal.rows || found.root !== seal.root)
    findings.push(`bill.txt: its ${found.rows} rows do not give the root of the seal.`);
  if (!(await isSignedBy(seal.key, seal.signature, seal))) findings.push("seal.json: the signature is not that of its key.");
  return findings;
}

const ROWS = ["plans.jsonl", "levels.jsonl", "opening.jsonl", "orders.jsonl", "changes.jsonl", "settlements.jsonl", "bill.txt"];

async function decideAgain(folder: string, manifest: Manifest, show: ShowDetail): Promise<Pick<Verdict, "settlements" | "differences">> {
  const database = new PGlite();
  try {
    await database.exec(`
      set check_function_bodies = off;
      set time zone 'UTC';
      create schema app;
      create schema bundle;
      create table bundle.lines (file text not null, row jsonb not null);
      create table bundle.bounds (begins_at timestamptz, ends_at timestamptz, first_position bigint);`);
    await database.exec(readFileSync(join(folder, "types.sql"), "utf8"));
    for (const name of Object.keys(manifest.functions)) await database.exec(readFileSync(join(folder, "functions", `${name}.sql`), "utf8"));
    await database.query("insert into bundle.bounds values ($1, $2, $3)", [manifest.begins_at, manifest.ends_at, manifest.first_position]);
    for (const name of ROWS) {
      show(name);
      let rows: string[] = [];
      const insert = () =>
        database.query("insert into bundle.lines select $1, e.value from jsonb_array_elements($2::jsonb) as e", [
          name,
          `[${rows.join(",")}]`,
        ]);
      for await (const line of linesOf(folder, name)) {
        rows.push(name === "bill.txt" ? JSON.stringify(line) : line);
        if (rows.length === 1000) {
          await insert();
          rows = [];
        }
      }
      await insert();
    }
    show("deciding");
    await database.exec(DECIDE);
    const { rows } = await database.query<Pick<Verdict, "settlements" | "differences">>(COMPARE);
    return rows[0]!;
  } finally {
    await database.close();
  }
}
