import { z } from "@hono/zod-openapi";
import { readResult } from "../_shared/database/result.ts";
import { log } from "../_shared/ground/log.ts";
import { Problem } from "../_shared/responses/problem.ts";
import { reportClock } from "../_shared/database/report_settings.ts";
import { openProviders } from "../_shared/providers/providers.ts";
import { respondJson } from "../_shared/responses/respond.ts";
import type { RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";
import { KINDS } from "./kinds.ts";
import { onShard } from "./on_shard.ts";
import { sendDeliveries } from "./webhooks/send_deliveries.ts";
import { type OutboxRow, outboxRow } from "./work.ts";

/** The lanes of the outbox and how many rows of each are handled at a time. Calls wait for no message. */
const LANES = { calls: 10, messages: 5 } as const;

/** A call starts no more work after this time. It is shorter than the time limit of an invocation. */
const WORKING_MS = 20_000;

/** What administrators read as the last problem of a call. */
function describe(error: unknown): string {
  return error instanceof Problem && error.detail ? error.detail : String(error);
}

/**
 * Tells the database the time, then takes the rows of the outbox and the deliveries to webhooks that are due: lease,
 * call, record. A crash after any step is harmless: the row is due again when its lease ends, and its number at the
 * provider makes a repeated call take effect once.
 */
export function runOutbox(service: Service): RouteHandler {
  const providers = openProviders(service.env);

  async function handle({ id, kind, payload, attempt, shard }: OutboxRow): Promise<void> {
    const database = onShard(service.database, shard);
    const work = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
    const row = { outbox: id, kind, order: payload.order_id, attempt, ...(shard !== undefined && { shard }) };
    try {
      if (!work) throw new Error("this version of the worker does not know this kind of call");
      const result = await work(payload, { ...service, database, providers });
      log("info", "outbox", { ...row, result });
      if (result === "recorded") return;
      await database.callAsService("postpone_outbox", { p_id: id, p_attempt: attempt });
    } catch (error) {
      log("warning", "outbox", { ...row, result: "failed", error: String(error) });
      await database.callAsService("postpone_outbox", { p_id: id, p_attempt: attempt, p_problem: describe(error) });
    }
  }

  /** @returns how many rows of the lane were taken */
  async function run(lane: keyof typeof LANES, until: number): Promise<number> {
    let handled = 0;
    let rows: OutboxRow[];
    do {
      rows = readResult(
        z.array(outboxRow),
        await service.database.callAsService("lease_outbox", { p_limit: LANES[lane], p_lane: lane }),
      );
      // If a result cannot be recorded, the lease ends and the row is due again.
      await Promise.allSettled(rows.map(handle));
      handled += rows.length;
    } while (rows.length > 0 && Date.now() < until);
    return handled;
  }

  return async (c) => {
    const until = Date.now() + WORKING_MS;
    // Whether the clocks could be compared or not, the work is done.
    await reportClock(service.database).catch((error: unknown) => log("warning", "clock", { error: String(error) }));
    // A wrong setting of webhooks stops no refund and no message.
    const webhooks = sendDeliveries(service, until).catch((error: unknown) => {
      log("warning", "webhooks", { error: String(error) });
      return 0;
    });
    const handled = await Promise.all([run("calls", until), run("messages", until), webhooks]);
    return respondJson(c, JSON.stringify({ handled: handled.reduce((sum, count) => sum + count, 0) }));
  };
}
