/** An address of the database for the functions. */
export const DB_URL_EXAMPLE = "postgresql://store_api.<ref>:<password>@<pooler>:6543/postgres?sslmode=require";

/**
 * How to set secrets of the functions. As arguments of the command, other users of the machine could read them.
 * @param lines of the file, `NAME=value`
 */
export function secretHint(...lines: string[]): string {
  return `In the file store.env: ${lines.join("  ")}   then: npx supabase secrets set --env-file store.env`;
}

/** What to do if the functions sign in to the database, which then refuses a call. */
export const MISSING_PRIVILEGE =
  "A privilege is missing, not the password. With DATABASE_URL, the line `configuration` names the statement that gives it back.";
