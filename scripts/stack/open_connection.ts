import postgres from "postgres";
import { authorityOf, tlsFor } from "../../functions/_shared/database_tls.ts";

/**
 * Opens connections to a database, encrypted by the same rule as those of the edge functions. STORE_DB_CA is the certificate of the
 * authority of the server, in PEM.
 */
export function openConnection(url: string, options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  return postgres(url, { onnotice: () => undefined, ...options, ssl: tlsFor(url, authorityOf(process.env.STORE_DB_CA)) });
}
