/** An address of the database for the functions. */
export const DB_URL_EXAMPLE = "postgresql://store_api.<ref>:<password>@<pooler>:6543/postgres?sslmode=require";

/** How to set secrets of the functions. As arguments of the command, other users of the machine could read them. @param lines of the file, `NAME=value` */
export function secretHint(...lines: string[]): string {
  return `In the file store.env: ${lines.join("  ")}   then: npx supabase secrets set --env-file store.env`;
}
