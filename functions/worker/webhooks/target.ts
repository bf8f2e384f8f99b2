import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { authorityOf } from "../../_shared/ground/tls.ts";
import type { Environment } from "../../_shared/ground/env.ts";
import { isLoopback } from "../../_shared/ground/loopback.ts";

/** Finds all addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** How webhooks are reached. */
export interface Egress {
  resolve: Resolve;
  /** A proxy, which then decides which addresses can be reached. */
  proxy: URL | undefined;
  /** The authority of receivers on this machine, which only a local stack may reach. */
  localAuthority: string | undefined;
}

/** Where a request goes: to this address, which proves by its certificate that it has the name of the URL. */
export interface Target {
  hostname: string;
  port: number;
  /** Undefined behind a proxy, which resolves the name. */
  address: string | undefined;
}

const resolveName: Resolve = async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address);

/** Reads how webhooks are reached. @throws Error that names the variable, if one cannot be used */
export function readEgress(env: Environment): Egress {
  const proxy = env.get("STORE_WEBHOOK_PROXY") || undefined;
  if (
    proxy !== undefined &&
    !(URL.canParse(proxy) && new URL(proxy).protocol === "http:" && new URL(proxy).port !== "")
  )
    throw new Error("STORE_WEBHOOK_PROXY is not an address such as http://10.0.0.7:3128.");
  const localAuthority = authorityOf(env.get("STORE_WEBHOOK_LOCAL_CA"));
  if (localAuthority !== undefined && !isLoopback(env.get("SUPABASE_URL") ?? ""))
    throw new Error("STORE_WEBHOOK_LOCAL_CA is for local stacks only. Remove it.");
  return { resolve: resolveName, proxy: proxy === undefined ? undefined : new URL(proxy), localAuthority };
}

/**
 * Resolves the name of an address once, and checks every address that it has. Whoever connects uses the address that
 * was checked, so a name that resolves to another one a moment later gains nothing.
 * @throws Error if one of them is not of the public Internet
 */
export async function findTarget(text: string, { resolve, proxy, localAuthority }: Egress): Promise<Target> {
  const url = new URL(text);
  if (url.protocol !== "https:") throw new Error("the address does not begin with https://");
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port || 443);
  const isLiteral = isIP(hostname) !== 0;
  if (proxy !== undefined && !isLiteral) return { hostname, port, address: undefined };
  const addresses = isLiteral ? [hostname] : await resolve(hostname);
  const isAllowed = (address: string) => isPublic(address) || (localAuthority !== undefined && isLocal(address));
  if (addresses.length === 0) throw new Error("the name has no address");
  if (!addresses.every(isAllowed)) throw new Error("the name leads to an address that is not of the public Internet");
  return { hostname, port, address: addresses[0] };
}

const isLocal = (address: string) => address === "127.0.0.1" || address === "::1";

/**
 * Networks that are not of the public Internet (RFC 6890 and its registry): private, shared, loopback, link-local with
 * metadata services, test, multicast, reserved.
 */
const CLOSED_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
].map((network) => {
  const [first = "", bits = ""] = network.split("/");
  return { first: numberOf(first), size: 2 ** (32 - Number(bits)) };
});

function numberOf(ipv4: string): number {
  return ipv4.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** Whether an address is one of the public Internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) {
    const number = numberOf(address);
    return !CLOSED_IPV4.some(({ first, size }) => number >= first && number < first + size);
  }
  return isIP(address) === 6 && !address.includes("%") && isPublicIpv6(address);
}

/**
 * Global unicast is 2000::/3. Of it, 2001::/23, documentation and 6to4, which leads to any IPv4 address, are closed;
 * IPv4 in other forms is outside.
 */
function isPublicIpv6(address: string): boolean {
  const [first = 0, second = 0] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split(":", 2)
    .map((group) => Number.parseInt(group || "0", 16));
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false;
  if (first === 0x2001) return second >= 0x200 && second !== 0xdb8;
  return !(first === 0x3fff && second < 0x1000);
}
