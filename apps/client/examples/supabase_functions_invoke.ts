// The same API through the functions client of supabase-js, which adds the token of the signed-in user.
// STORE_URL=http://127.0.0.1:54321 STORE_KEY=<publishable key> npx jiti
// apps/client/examples/supabase_functions_invoke.ts
import { randomUUID } from "node:crypto";
import { createClient, FunctionsHttpError } from "@supabase/supabase-js";
import ws from "ws";
import type { Api, Problem } from "../index.ts";

const { STORE_URL = "http://127.0.0.1:54321", STORE_KEY = "" } = process.env;
const supabase = createClient(STORE_URL, STORE_KEY, {
  auth: { persistSession: false },
  realtime: { transport: ws as never },
});

// Without a session: the article to read before signing in, or null.
const { data: article } = await supabase.functions.invoke<Api["Article"] | null>("api/sign/required_article", {
  method: "GET",
});
console.log(article ? `Read "${article.title}" first.` : "Nothing to read before signing in.");

const { error: failure } = await supabase.auth.signUp({
  email: `${randomUUID()}@example.com`,
  password: randomUUID(),
  options: { data: { nickname: "Invoker" } },
});
if (failure) throw failure;

const { data: assets } = await supabase.functions.invoke<Api["AssetOverview"]>("api/hjf/assets/overview", {
  method: "GET",
});
console.log(`Commission ${assets?.brokerage_price}, points ${assets?.available_points}.`);

const { error } = await supabase.functions.invoke<Api["Order"]>("api/order", { method: "POST", body: { items: [] } });
if (!(error instanceof FunctionsHttpError)) throw new Error("An order of nothing was accepted.");
const problem: Problem = await error.context.json();
console.log(`An order without items is rejected: ${problem.code} at ${problem.errors?.[0]?.pointer}.`);
