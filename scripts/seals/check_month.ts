import type postgres from "postgres";
import { type MonthRoot, monthSecret, type Seal } from "../../functions/_shared/secrets/seals.ts";

/** The seals of the store, the oldest first. */
export async function storedSeals(sql: postgres.Sql | postgres.TransactionSql): Promise<Seal[]> {
  const rows = await sql<
    { seal: Seal }[]
  >`select app.seal_json(s.month) as seal from app.month_seals as s order by s.month`;
  return rows.map(({ seal }) => seal);
}

/** What a closed month comes to now. */
export async function rootOf(
  sql: postgres.Sql | postgres.TransactionSql,
  month: string,
  secret: Uint8Array<ArrayBuffer>,
): Promise<MonthRoot & { seal: Seal | null }> {
  const [row] = await sql<{ root: MonthRoot & { seal: Seal | null } }[]>`
    select app.month_root(${month}, ${await monthSecret(secret, month)}) as root`;
  return row!.root;
}

/** What is wrong with the rows of a sealed month, in sentences. */
export function findingsOfMonth(
  { month, rows, root }: Pick<Seal, "month" | "rows" | "root">,
  seal: Pick<Seal, "rows" | "root">,
): string[] {
  if (rows !== seal.rows) return [`${month}: it has ${rows} rows. ${seal.rows} were sealed.`];
  if (root !== seal.root)
    return [
      `${month}: its ${rows} rows do not give the root of the seal. A row was changed, or STORE_SEAL_SECRET is another one.`,
    ];
  return [];
}
