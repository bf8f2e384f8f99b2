import postgres from "postgres";
import { authorityOf, tlsFor } from "../../functions/_shared/ground/tls.ts";
import { isUnconfirmedCommit } from "../../functions/_shared/database/unconfirmed_commit.ts";

/**
 * Opens connections to a database, encrypted by the same rule as those of the edge functions. STORE_DB_CA is the
 * certificate of the authority of the server, in PEM. Notices are not shown, except that a commit may still be lost.
 */
export function openConnection(url: string, options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  const onnotice = (notice: postgres.Notice) => {
    if (isUnconfirmedCommit(notice))
      console.error(
        "Warning: a synchronous standby has not confirmed a commit. If the primary is lost before that, the commit is lost, too.",
      );
  };
  // By default the driver takes another session after half an hour or more, without the settings, temporary tables and
  // locks of the first one.
  return postgres(url, {
    onnotice,
    max_lifetime: null,
    ...options,
    ssl: tlsFor(url, authorityOf(process.env.STORE_DB_CA)),
  });
}

/**
 * What to do if a server refuses a connection before it asks for the password.
 * @param variable that has the address
 * @returns undefined for another error
 */
export function refusalAdvice(message: string, variable: string): string | undefined {
  if (!/no pg_hba\.conf entry/.test(message)) return undefined;
  return `The server takes no connection without TLS, or none from this address: put ?sslmode=require at the end of ${variable}, or add a line to pg_hba.conf.`;
}
