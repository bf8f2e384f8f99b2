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
 * The mode in which a pooler of Supabase works at an address, which its port says.
 * @returns undefined for another server
 */
export function poolerMode(address: string): "session" | "transaction" | undefined {
  const { hostname, port } = new URL(address);
  if (port === "6543" && /\.supabase\.(?:com|co)$/.test(hostname)) return "transaction";
  return hostname.endsWith(".pooler.supabase.com") ? "session" : undefined;
}

/**
 * Whether an error says that the password is wrong. The driver reports a pooler of Supabase that answers
 * `e=Wrong password` as a wrong signature.
 */
export const isWrongPassword = ({ code, message }: { code?: string | undefined; message?: string | undefined }) =>
  code === "28P01" || code === "SASL_SIGNATURE_MISMATCH" || /password authentication failed/.test(message ?? "");

/** How servers and poolers refuse a connection, whoever signs in, and what to do. */
const REFUSALS: [said: RegExp, advice: (variable: string) => string][] = [
  [
    /no pg_hba\.conf entry/,
    (variable) =>
      `The server takes no connection without TLS, or none from this address: put ?sslmode=require at the end of ${variable}, or add a line to pg_hba.conf.`,
  ],
  [
    /tenant(?:\/| or )user .*not found|tenant not found/i,
    (variable) =>
      `The pooler does not know the project of ${variable}: copy the address anew (Dashboard, Connect), because the host and the reference after the role belong together. It does not know a paused project either: resume it in the Dashboard.`,
  ],
  [
    /ECIRCUITBREAKER|circuit ?breaker/i,
    (variable) =>
      `The pooler blocks the project for some minutes, because too many sign-ins have failed. Correct the password in ${variable}, and wait.`,
  ],
  [
    /EMAXCONNSESSION|MaxClientsInSessionMode|max clients reached/i,
    () =>
      "The pooler has no connection left in session mode. See that the functions use port 6543 (STORE_DB_URL), which is that of the transaction mode, and that no other program holds connections.",
  ],
  [
    /too many (?:clients|connections)|remaining connection slots/i,
    () =>
      "The server has no connection left. Find who holds them: select usename, count(*) from pg_stat_activity group by 1",
  ],
];

/**
 * What to do if a server or its pooler refuses a connection.
 * @param variable that has the address
 * @returns undefined for another error
 */
export const refusalAdvice = (message: string, variable: string): string | undefined =>
  REFUSALS.find(([said]) => said.test(message))?.[1](variable);
