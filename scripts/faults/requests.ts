import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../demo/random.ts";

/** A response that ends a request: no later attempt can change its result. */
export interface Reply {
  status: number;
  // deno-lint-ignore no-explicit-any
  body: any;
}

export interface Call {
  method: string;
  url: string;
  token?: string;
  key?: string;
  json?: unknown;
}

const ATTEMPT_MS = 40_000;
/** The share of first attempts whose client goes away before the response. */
const ABORTED = 0.06;
/** The share of requests with a key that are sent twice at the same time. */
const DOUBLED = 0.06;

/**
 * Sends requests as a patient client does: until there is a response that ends the request, always with the same key.
 */
export class Requests {
  sent = 0;
  /** Responses that a client must never see, and requests that never ended. */
  readonly unexpected: string[] = [];
  private deadline = Infinity;

  constructor(private readonly random: Random) {}

  /** From now on, every request must end within this time. */
  endWithin(ms: number): void {
    this.deadline = Date.now() + ms;
  }

  /** Whether the time of {@link endWithin} has passed. */
  isLate(): boolean {
    return Date.now() >= this.deadline;
  }

  /** @returns undefined if there is no response in time */
  async send(call: Call): Promise<Reply | undefined> {
    if (call.key === undefined || !this.random.chance(DOUBLED)) return this.repeat(call);
    const arrived: (Reply | undefined)[] = [];
    const repeat = async () => arrived.push(await this.repeat(call));
    await Promise.all([repeat(), repeat()]);
    const [one, other] = arrived;
    const isSame =
      one?.status === other?.status && ((one?.status ?? 0) >= 300 || JSON.stringify(one) === JSON.stringify(other));
    // A refusal is not stored under the key: what is refused first, for example without stock, can succeed after it,
    // but never the other way round.
    const succeededLater = (one?.status ?? 0) >= 400 && (other?.status ?? 400) < 300;
    if (!isSame && !succeededLater)
      this.unexpected.push(`${describe(call)} was sent twice and got ${JSON.stringify(arrived)}`);
    return succeededLater ? other : one;
  }

  private async repeat(call: Call): Promise<Reply | undefined> {
    for (let attempt = 1; !this.isLate(); attempt += 1) {
      const reply = await this.attempt(
        call,
        attempt === 1 && this.random.chance(ABORTED) ? 1 + this.random.below(40) : ATTEMPT_MS,
      );
      if (reply) return reply;
      await pause(30 + this.random.below(220));
    }
    this.unexpected.push(`${describe(call)} never got a response`);
    return undefined;
  }

  /** @returns undefined if the request is to be repeated */
  private async attempt({ method, url, token, key, json }: Call, ms: number): Promise<Reply | undefined> {
    this.sent += 1;
    try {
      const response = await fetch(url, {
        method,
        signal: AbortSignal.timeout(ms),
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(key && { "idempotency-key": key }),
          ...(json !== undefined && { "content-type": "application/json" }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      const text = await response.text();
      if (response.status < 500) {
        const body = JSON.parse(text);
        return body.code === "idempotency_key_in_use" ? undefined : { status: response.status, body };
      }
      const isExpected = response.status === 503 && Number(response.headers.get("retry-after")) > 0;
      if (!isExpected) this.unexpected.push(`${method} ${url} got ${response.status}: ${text.slice(0, 300)}`);
    } catch (error) {
      // The function was killed, or this client has gone away.
      if (error instanceof SyntaxError) this.unexpected.push(`${method} ${url} got a response that is not JSON`);
    }
    return undefined;
  }
}

const describe = ({ method, url, key }: Call) => `${method} ${new URL(url).pathname}${key ? ` (${key})` : ""}`;
