import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { z } from "zod";
import { isSignedBy } from "../../functions/_shared/secrets/seals.ts";
import { printable } from "../ground/printable.ts";
import type { ShowDetail } from "../ground/progress.ts";
import { seal as sealLine } from "../seals/list.ts";
import { engineFindings, readEngine } from "./engine.ts";
import { functionsOf, type Manifest, readManifest } from "./manifest.ts";
import { folderFindings, readFileOf, type TakeLine } from "./read_files.ts";
import { HashTree } from "./root.ts";

const [LOAD, FINDINGS, DECIDE, COMPARE] = ["load", "findings", "decide", "compare"].map((name) =>
  readFileSync(new URL(`${name}.sql`, import.meta.url), "utf8"),
) as [string, string, string, string];

/** Where what was booked is not what was decided again. */
export interface Difference {
  subject: string;
  decided: string;
  booked: string;
}

/** What came of a check. Its texts can be printed, whatever the bundle has. */
export interface Verdict {
  month: string;
  /** What is wrong with the bundle itself, in sentences. */
  findings: string[];
  /** The number of settlements that were decided again; undefined if what is wrong with the bundle prevents it. */
  settlements: number | undefined;
  differences: Difference[];
  isSealed: boolean;
  /** The hash of the manifest, which has the hashes of all files. */
  bundle: string;
}

/**
 * Checks a bundle: its files, the functions of its store, the seal of its bill, and every settlement. Reads nothing but
 * the folder, and runs nothing of it.
 */
export async function checkBundle(folder: string, show: ShowDetail): Promise<Verdict> {
  const { manifest, hash } = readManifest(folder);
  const engine = readEngine();
  const findings = folderFindings(folder, manifest);
  const names = [...ROWS, "journal.journal", ...engine.keys()].filter((name) => !(name in manifest.files));
  findings.push(...names.map((name) => `${name}: the manifest does not name it.`));
  const isSealed = "seal.json" in manifest.files;
  let decided: Decided | undefined;
  if (findings.length === 0) {
    decided = await readAndDecide(folder, manifest, engine, show, findings).catch((error: unknown) => {
      findings.push(`The settlements could not be decided again: ${(error as Error).message}`);
      return undefined;
    });
    if (JSON.stringify(manifest.functions) !== JSON.stringify(functionsOf(manifest.files)))
      findings.push("manifest.json: its functions are not those of its files.");
    findings.push(...engineFindings(engine, manifest));
  }
  return {
    month: manifest.month,
    findings: findings.map(printable),
    settlements: decided?.settlements,
    differences: (decided?.differences ?? []).map(({ subject, decided: right, booked }) => ({
      subject: printable(subject),
      decided: printable(right),
      booked: printable(booked),
    })),
    isSealed,
    bundle: hash,
  };
}

type Decided = { settlements: number; differences: Difference[] };

const ROWS = [
  "plans.jsonl",
  "levels.jsonl",
  "rules.jsonl",
  "opening.jsonl",
  "orders.jsonl",
  "changes.jsonl",
  "settlements.jsonl",
  "bill.txt",
];

/** The text of a bill row in a seal (docs/seals.md). */
const BILL_ROW =
  /^bill-1\|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\|\d+\|\d+\|[a-z_]+\|[a-z_]+(\|-?\d+\.\d\d(\|-?\d+\.\d{4}){2}){2}\|\d*\|(-?\d+\.\d{4})?\|(\d+\.\d{5})?\|\d*\|(-?\d+\.\d{4})?(\|\d*){3}$/;

const sealFile = z.strictObject({ seal: z.object(sealLine.shape), secret: z.string().regex(/^[0-9a-f]{64}$/) });

const isObject = (text: string) => {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && !Array.isArray(value);
};

/**
 * Reads each file once, and decides if nothing is wrong with them. The rows of the bill go to the seal and to the
 * database together.
 */
async function readAndDecide(
  folder: string,
  manifest: Manifest,
  engine: Map<string, string>,
  show: ShowDetail,
  findings: string[],
): Promise<Decided | undefined> {
  const read = async (name: string, take: TakeLine) =>
    void findings.push(...(await readFileOf(folder, name, manifest.files[name]!, take)));
  let tree: HashTree | undefined;
  let seal: z.infer<typeof sealFile> | undefined;
  if ("seal.json" in manifest.files) {
    await read("seal.json", (line) => {
      try {
        if (seal) return "it is a second seal.";
        seal = sealFile.parse(JSON.parse(line));
        tree = new HashTree(seal.secret);
      } catch {
        return "it is no seal.";
      }
    });
    if (!seal && findings.length === 0) findings.push("seal.json: it has no seal.");
  }
  const database = await emptyDatabase(manifest, engine);
  try {
    for (const name of ROWS) {
      show(name);
      const rows = new Rows(database, name);
      await read(name, (line) => {
        if (name === "bill.txt") {
          if (!BILL_ROW.test(line)) return "it is no row of a bill.";
          tree?.add(line);
          return rows.add(JSON.stringify(line));
        }
        try {
          if (isObject(line)) return rows.add(line);
        } catch {
          // Told below.
        }
        return "it is no JSON object.";
      });
      await rows.end();
    }
    for (const name of Object.keys(manifest.files))
      if (name !== "seal.json" && !ROWS.includes(name)) await read(name, () => undefined);
    if (findings.length > 0) return undefined;
    if (seal) findings.push(...(await sealFindings(seal.seal, tree!, manifest)));
    show("deciding");
    await database.exec(LOAD);
    const { rows: wrong } = await database.query<{ finding: string }>(FINDINGS);
    findings.push(...wrong.map(({ finding }) => finding));
    if (wrong.length > 0) return undefined;
    await database.exec(DECIDE);
    return (await database.query<Decided>(COMPARE)).rows[0]!;
  } finally {
    await database.close();
  }
}

async function sealFindings(seal: z.infer<typeof sealLine>, tree: HashTree, { month }: Manifest): Promise<string[]> {
  const findings: string[] = [];
  if (seal.month !== month) findings.push(`seal.json: it is the seal of ${seal.month}.`);
  if (tree.rows !== seal.rows || tree.root() !== seal.root)
    findings.push(`bill.txt: its ${tree.rows} rows do not give the root of the seal.`);
  if (!(await isSignedBy(seal.key, seal.signature, seal).catch(() => false)))
    findings.push("seal.json: the signature is not that of its key.");
  return findings;
}

/** A database with the types and functions of this checkout. */
async function emptyDatabase(manifest: Manifest, engine: Map<string, string>): Promise<PGlite> {
  const database = new PGlite();
  await database.exec(`
    set check_function_bodies = off;
    set time zone 'UTC';
    create schema app;
    create schema bundle;
    create table bundle.lines (file text not null, number integer not null, row jsonb not null);
    create table bundle.bounds (month text, begins_at timestamptz, ends_at timestamptz, first_position bigint, last_position bigint);`);
  for (const text of engine.values()) await database.exec(text);
  const { month, begins_at, ends_at, first_position, last_position } = manifest;
  await database.query("insert into bundle.bounds values ($1, $2, $3, $4, $5)", [
    month,
    begins_at,
    ends_at,
    first_position,
    last_position,
  ]);
  return database;
}

/** Inserts the rows of a file, many at a time. */
class Rows {
  private rows: string[] = [];
  private count = 0;

  constructor(
    private readonly database: PGlite,
    private readonly file: string,
  ) {}

  async add(json: string): Promise<undefined> {
    if (this.rows.push(json) === 1000) await this.end();
  }

  async end(): Promise<void> {
    await this.database.query(
      "insert into bundle.lines select $1, $2 + e.ordinality, e.value from jsonb_array_elements($3::jsonb) with ordinality as e",
      [this.file, this.count, `[${this.rows.join(",")}]`],
    );
    this.count += this.rows.length;
    this.rows = [];
  }
}
