import { isLoopback } from "./loopback.ts";

/**
 * How the driver encrypts connections: not at all, or to a server that proves its name by a certificate of this
 * authority or of those that the runtime trusts.
 */
type Tls = false | { host: string; ca?: string };

/**
 * Decides how connections are encrypted. A server elsewhere is reached only by TLS, and its certificate is verified,
 * unless the address says `sslmode=disable`. A server on this machine is reached without TLS, unless the address has an
 * `sslmode`.
 * @param authority the certificate of the server's authority, in PEM
 */
export function tlsFor(databaseUrl: string, authority: string | undefined): Tls {
  const { hostname, searchParams } = new URL(databaseUrl);
  const mode = searchParams.get("sslmode") ?? (isLoopback(databaseUrl) ? "disable" : "require");
  if (mode === "disable") return false;
  return { host: hostname, ...(authority !== undefined && { ca: authority }) };
}

/**
 * @returns the certificate of an authority in PEM, from a variable in which line breaks may be written as `\n`;
 * undefined if it is not set
 */
export function authorityOf(variable: string | undefined): string | undefined {
  return variable?.replaceAll("\\n", "\n") || undefined;
}

/** The codes of errors of TLS, such as an unknown certificate. */
const TLS_FAILED =
  /CERT|^ERR_(?:SSL|TLS)_|^(?:HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

/**
 * Whether the code of an error says that no encrypted connection was made, for example because the certificate is
 * unknown.
 */
export function isTlsErrorCode(code: string): boolean {
  return TLS_FAILED.test(code);
}
