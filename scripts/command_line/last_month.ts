import type postgres from "postgres";

/** The last month of the store that is over, as YYYY-MM, for which a command works by default. */
export async function lastMonth(sql: postgres.Sql): Promise<string> {
  const [row] = await sql<{ month: string }[]>`select to_char(app.month_of(now()) - interval '1 month', 'YYYY-MM') as month`;
  return row!.month;
}
