import { isLoopback } from "./loopback.ts";

/** How the driver encrypts connections: not at all, or to a server that proves its name by a certificate of this authority or of those that the runtime trusts. */
type Tls = false | { host: string; ca?: string };

/**
 * Decides how connections are encrypted. A server elsewhere is reached only by TLS, and its certificate is verified, unless the address says
 * `sslmode=disable`. A server on this machine is reached without TLS, unless the address has an `sslmode`.
 * @param authority the certificate of the server's authority, in PEM
 */
export function tlsFor(databaseUrl: string, authority: string | undefined): Tls {
  const { hostname, searchParams } = new URL(databaseUrl);
  const mode = searchParams.get("sslmode") ?? (isLoopback(databaseUrl) ? "disable" : "require");
  if (mode === "disable") return false;
  return { host: hostname, ...(authority !== undefined && { ca: authority }) };
}
