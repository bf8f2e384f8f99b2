import { callerAddress } from "./sessions.ts";

/**
 * Counts requests of a kind by the address that a proxy reports. Without one, nothing is limited, as in hosted Auth.
 * @param most at most so many
 * @param withinMs in this time
 */
export function limitByAddress(most: number, withinMs: number): (kind: string, request: Request) => boolean {
  const times = new Map<string, number[]>();
  return (kind, request) => {
    const address = callerAddress(request);
    if (address === undefined) return false;
    const key = `${kind} ${address}`;
    const recent = (times.get(key) ?? []).filter((time) => time > Date.now() - withinMs);
    if (recent.length < most) recent.push(Date.now());
    else return true;
    times.set(key, recent);
    return false;
  };
}
