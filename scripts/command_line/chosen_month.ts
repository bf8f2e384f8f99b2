import type postgres from "postgres";
import { Problem } from "../ground/problem.ts";

/**
 * The month of the store that a command works for, as YYYY-MM: the named one, or the last one that is over.
 * @throws Problem if it has not begun
 */
export async function chosenMonth(sql: postgres.Sql, named: string | undefined): Promise<string> {
  const [last] = await sql<
    { month: string }[]
  >`select to_char(app.month_of(now()) - interval '1 month', 'YYYY-MM') as month`;
  const month = named ?? last!.month;
  const [begun] = await sql<
    { begun: boolean }[]
  >`select b.begins_at <= now() as begun from app.month_bounds(app.month_start(${month})) as b`;
  if (!begun!.begun) throw new Problem(`The month ${month} has not begun.`, "Choose a month that has begun.");
  return month;
}
