import { createHash, createHmac } from "node:crypto";
import type postgres from "postgres";

/** A row of the bill as it is exported: all values as text, the time in UTC. */
export type ExportedRow = Record<(typeof COLUMNS)[number], string | null>;

const COLUMNS = [
  "add_time",
  "id",
  "uid",
  "type",
  "source",
  "brokerage_delta",
  "frozen_delta",
  "available_delta",
  "brokerage_after",
  "frozen_after",
  "available_after",
  "order_id",
  "basis",
  "rate",
  "agent_level",
  "passed_on",
  "reverses_id",
  "withdrawal_id",
  "adjustment_id",
] as const;

const sha256 = (...parts: (Buffer | string)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The rows of a month, read from the table. */
export async function exportedRows(sql: postgres.Sql | postgres.TransactionSql, month: string): Promise<ExportedRow[]> {
  const texts = COLUMNS.map((name) =>
    name === "add_time" ? "replace((b.add_time at time zone 'UTC')::text, ' ', 'T') as add_time" : `b.${name}::text`,
  );
  return sql.unsafe<ExportedRow[]>(
    `select ${texts.join(", ")} from app.user_bill as b, app.month_bounds(app.month_start($1)) as m where b.add_time >= m.begins_at and b.add_time < m.ends_at`,
    [month],
  );
}

/** The text of a leaf by docs/seals.md. */
function leafText(row: ExportedRow): string {
  const [whole, fraction = ""] = row.add_time!.split(".");
  return ["bill-1", `${whole}.${fraction.padEnd(6, "0")}Z`, ...COLUMNS.slice(1).map((name) => row[name] ?? "")].join(
    "|",
  );
}

/** The Merkle tree hash of RFC 6962, 2.1, as it is defined there. */
function treeHash(leaves: Buffer[]): Buffer {
  if (leaves.length === 0) return sha256("");
  if (leaves.length === 1) return leaves[0]!;
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return sha256(Buffer.from([1]), treeHash(leaves.slice(0, half)), treeHash(leaves.slice(half)));
}

/** The root of a month, without the database. @param secret that of the store */
export function expectedRoot(rows: ExportedRow[], secret: Uint8Array, month: string): string {
  const monthSecret = createHmac("sha256", secret).update(month).digest();
  const ordered = rows.toSorted((a, b) => {
    const [one, other] = [leafText(a).split("|")[1]!, leafText(b).split("|")[1]!];
    return one < other ? -1 : one > other ? 1 : Number(a.id) - Number(b.id);
  });
  return treeHash(
    ordered.map((row) =>
      sha256(Buffer.from([0]), createHmac("sha256", monthSecret).update(row.id!).digest(), leafText(row)),
    ),
  ).toString("hex");
}
