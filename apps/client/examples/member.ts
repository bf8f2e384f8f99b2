// A member signs up through the share link of a referrer, places an order and cancels it.
//   STORE_URL=http://127.0.0.1:54321 STORE_KEY=<publishable key> npx jiti apps/client/examples/member.ts
import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import ws from "ws";
import { type Api, unwrap, createStore, StoreError } from "../index.ts";

const { STORE_URL = "http://127.0.0.1:54321", STORE_KEY = "" } = process.env;

async function signUp(nickname: string, spread?: number) {
  // Node 20 has no WebSocket, and supabase-js requires one even if Realtime is not used.
  const supabase = createClient(STORE_URL, STORE_KEY, {
    auth: { persistSession: false },
    realtime: { transport: ws as never },
  });
  const { error } = await supabase.auth.signUp({
    email: `${randomUUID()}@example.com`,
    password: randomUUID(),
    options: { data: { nickname, spread } },
  });
  if (error) throw error;
  const accessToken = async () => (await supabase.auth.getSession()).data.session?.access_token;
  return createStore({ functionsUrl: `${STORE_URL}/functions/v1`, accessToken }).api;
}

const referrer = await signUp("Referrer");
const { uid } = await unwrap(referrer.GET("/api/user"));
const buyer = await signUp("Buyer", uid);

const { list: products } = await unwrap(buyer.GET("/api/product", { params: { query: { limit: 1 } } }));
const product = products[0];
if (!product) throw new Error("Nothing is on sale.");

// With an idempotency key, the order is placed only once, even if the request is sent repeatedly.
const header = { "Idempotency-Key": randomUUID() };
const placeOrder = () =>
  buyer.POST("/api/order", { params: { header }, body: { items: [{ product_id: product.id, quantity: 1 }] } });
const order: Api["Order"] = await unwrap(placeOrder());
const { id } = await unwrap(placeOrder());
console.log(`Sent twice, placed ${id === order.id ? "once" : "twice"}.`);
console.log(
  `Ordered ${product.title} for ${order.pay_price}; the referrer is ${order.referrer_uid === uid ? "known" : "unknown"}.`,
);

try {
  await unwrap(referrer.GET("/api/order/{id}", { params: { path: { id: order.id } } }));
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  console.log(`The referrer may not read the order: ${error.code}.`);
}

const { state } = await unwrap(buyer.PUT("/api/order/{id}/cancel", { params: { path: { id: order.id } } }));
console.log(`The order is ${state}.`);
