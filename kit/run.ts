import type { Result, Vector } from "./format.ts";
import { startOf } from "./load.ts";

/**
 * What an adapter says of itself: whose store it drives, and whether the store takes the times of the events for now.
 */
export interface About {
  name: string;
  time: "set" | "ignored";
}

/** The adapter cannot be reached, or fails. */
export class AdapterError extends Error {}

/** Talks to an adapter, which drives a store (kit/README.md). @throws AdapterError that names the call, if it fails */
async function call(adapter: string, path: string, body?: unknown): Promise<unknown> {
  const init =
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(new URL(path, adapter), init);
  } catch (error) {
    throw new AdapterError(`No adapter answers at ${adapter}.`, { cause: error });
  }
  const text = await response.text();
  if (!response.ok)
    throw new AdapterError(`The adapter answered ${path} with ${response.status}: ${text.slice(0, 500)}`);
  return text === "" ? undefined : JSON.parse(text);
}

export const about = async (adapter: string): Promise<About> => (await call(adapter, "/")) as About;

/** Runs a vector. @returns what differs from what must follow, a line for each difference */
export async function runVector(adapter: string, vector: Vector): Promise<string[]> {
  await call(adapter, "/start", startOf(vector));
  const differences: string[] = [];
  for (const [index, { refused = false, ...event }] of vector.events.entries()) {
    const answer = (await call(adapter, "/event", event)) as { refused: boolean };
    if (answer.refused === refused) continue;
    differences.push(
      `event ${index + 1} (${event.do} at ${event.at}): ${answer.refused ? "was refused" : "was not refused"}`,
    );
  }
  const found = (await call(adapter, "/result")) as Result;
  const together = vector.events.flatMap((event) => (event.do === "together" ? event.orders : []));
  return [...differences, ...compare(withoutNames(vector.expected, together), withoutNames(found, together))];
}

/**
 * Orders that were paid at the same moment can be settled in any sequence: their names are left out, and rows sorted.
 */
function withoutNames(result: Result, orders: string[]): unknown {
  if (orders.length === 0) return result;
  const sorted = (values: object[]) => values.map((value) => JSON.stringify(Object.entries(value).sort())).sort();
  const isAnyOf = (order: string | undefined) => order !== undefined && orders.includes(order);
  const bill = Object.entries(result.bill).map(([member, rows]) => [
    member,
    sorted(rows.map(({ order, ...row }) => ({ order: isAnyOf(order) ? "any" : order, ...row }))),
  ]);
  const settlements = Object.entries(result.settlements);
  return {
    ...result,
    bill: Object.fromEntries(bill) as unknown,
    settlements: Object.fromEntries(settlements.filter(([order]) => !isAnyOf(order))) as unknown,
    together: sorted(settlements.filter(([order]) => isAnyOf(order)).map(([, settlement]) => settlement)),
  };
}

/** The places at which two values differ. The names in an object can stand in any sequence. */
function compare(expected: unknown, found: unknown, path = ""): string[] {
  const isOpen = (value: unknown): value is object => typeof value === "object" && value !== null;
  if (!isOpen(expected) || !isOpen(found)) {
    const [one, other] = [JSON.stringify(expected), JSON.stringify(found)];
    return one === other ? [] : [`${path || "result"}: expected ${one ?? "nothing"}, found ${other ?? "nothing"}`];
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  const at = (value: object, name: string) => (value as Record<string, unknown>)[name];
  return [...names].flatMap((name) => compare(at(expected, name), at(found, name), path ? `${path}.${name}` : name));
}
