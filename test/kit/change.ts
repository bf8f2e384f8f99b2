import { connect } from "../support/index.ts";
import type { Mutant } from "./mutants.ts";

/** The function with the change. @throws Error if what is to be changed is not there, or more than once */
export async function changed(url: string, { of, from, to }: Mutant): Promise<string> {
  const sql = connect(url);
  try {
    const [row] =
      await sql`select pg_get_functiondef(p.oid) as text from pg_proc as p where p.pronamespace = 'app'::regnamespace and p.proname = ${of}`;
    const parts = (row!.text as string).split(from);
    if (parts.length !== 2) throw new Error(`app.${of} has ${JSON.stringify(from)} ${parts.length - 1} times.`);
    return parts.join(to);
  } finally {
    await sql.end();
  }
}
