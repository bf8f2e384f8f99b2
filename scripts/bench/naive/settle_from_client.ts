import type { SupabaseClient } from "@supabase/supabase-js";

interface Order {
  id: number;
  uid: number;
  base: number;
  state: string;
}
interface Member {
  uid: number;
  spread_uid: number | null;
  agent_level: number;
  brokerage: number;
  frozen_points: number;
  umbrella_orders: number;
  direct_orders: number;
}
interface Level {
  grade: number;
  direct_points: number;
  umbrella_points: number;
  direct_target: number | null;
  umbrella_target: number | null;
}

const RATIOS = [0.2, 0.3, 0.5];

/** Returns the data of a response. @throws Error if the request failed */
async function rowsOf<Row>(request: PromiseLike<{ data: unknown; error: { message: string } | null }>): Promise<Row[]> {
  const { data, error } = await request;
  if (error) throw new Error(error.message);
  return (data ?? []) as Row[];
}

/**
 * Settles an order like a client that only has access to tables: it reads, computes and writes row by row, without a
 * transaction and without locks. The benchmark compares it with the store and shows that it pays orders twice.
 */
export async function settleFromClient(client: SupabaseClient, orderId: number): Promise<void> {
  const member = async (uid: number) => (await rowsOf<Member>(client.from("members").select().eq("uid", uid)))[0];
  const change = (uid: number, values: Partial<Member>) => rowsOf(client.from("members").update(values).eq("uid", uid));

  const [order] = await rowsOf<Order>(client.from("orders").select().eq("id", orderId));
  if (!order || order.state === "settled") return;
  const levels = await rowsOf<Level>(client.from("levels").select().order("grade"));
  const buyer = await member(order.uid);
  let above = buyer?.spread_uid ? await member(buyer.spread_uid) : undefined;

  if (above) {
    const own = await rowsOf<Order>(
      client.from("orders").select("id").eq("uid", above.uid).eq("state", "settled").limit(1),
    );
    if (own.length > 0) {
      const places = await rowsOf(client.from("bill").select("id").eq("uid", above.uid).eq("type", "commission"));
      const place = places.length % RATIOS.length;
      const commission = Math.floor(Number(order.base) * (RATIOS[place] as number) * 100) / 100;
      await rowsOf(
        client.from("bill").insert({
          uid: above.uid,
          order_id: order.id,
          type: "commission",
          brokerage: commission,
          points: commission,
          place,
        }),
      );
      above.brokerage = Number(above.brokerage) + commission;
      above.frozen_points = Number(above.frozen_points) + commission;
      await change(above.uid, { brokerage: above.brokerage, frozen_points: above.frozen_points });
    }
  }

  let passedOn = 0;
  for (let step = 1; above; step += 1) {
    const { direct_points = 0, umbrella_points = 0 } = levels[above.agent_level] ?? {};
    const points = step === 1 ? direct_points : Math.max(0, umbrella_points - passedOn);
    passedOn = Math.max(passedOn, umbrella_points);
    const umbrella = above.umbrella_orders + 1;
    const direct = above.direct_orders + (step === 1 ? 1 : 0);
    const next = levels[above.agent_level + 1];
    const rises = next && direct >= (next.direct_target ?? 0) && umbrella >= (next.umbrella_target ?? 0);
    if (points > 0)
      await rowsOf(client.from("bill").insert({ uid: above.uid, order_id: order.id, type: "level", points }));
    await change(above.uid, {
      umbrella_orders: umbrella,
      direct_orders: direct,
      frozen_points: Number(above.frozen_points) + points,
      agent_level: above.agent_level + (rises ? 1 : 0),
    });
    above = above.spread_uid ? await member(above.spread_uid) : undefined;
  }
  await rowsOf(client.from("orders").update({ state: "settled" }).eq("id", order.id));
}
