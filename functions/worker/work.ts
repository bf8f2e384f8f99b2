import { z } from "@hono/zod-openapi";
import type { PaymentProvider } from "../_shared/providers/provider.ts";
import type { Service } from "../_shared/routes/service.ts";

/** A leased row of `app.outbox`. */
export const outboxRow = z.object({
  id: z.int(),
  kind: z.string(),
  payload: z.record(z.string(), z.unknown()),
  /** How often the row was leased, this time included. */
  attempt: z.int(),
  /** Only in a store with shards: which one has the row; null is the home. */
  shard: z.int().nullable().optional(),
});
export type OutboxRow = z.infer<typeof outboxRow>;

/** The dependencies of a kind of call. */
export interface Tools extends Service {
  providers: ReadonlyMap<string, PaymentProvider>;
}

/**
 * Makes the call of a row and records its result. @returns `recorded` if the result is final: the function that
 * recorded it has removed the row, or has replaced it by a later one. `undecided` if the provider has to be queried
 * again later. @throws if the call failed or its outcome is unknown
 */
export type Work = (payload: Record<string, unknown>, tools: Tools) => Promise<"recorded" | "undecided">;

/** The provider that a row names. @throws Error if it is not configured */
export function providerOf({ provider: name }: Record<string, unknown>, { providers }: Tools): PaymentProvider {
  const provider = providers.get(name as string);
  if (!provider) throw new Error(`the provider ${String(name)} is not configured`);
  return provider;
}
