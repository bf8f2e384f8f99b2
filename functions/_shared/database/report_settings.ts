import { inBackground } from "../ground/background.ts";
import type { Database } from "./database.ts";
import type { Environment } from "../ground/env.ts";

/** The variables that the configuration check knows (app.verify_function_settings, app.verify_real_names). */
export const VARIABLES = [
  "STORE_WECHAT_MINI_APPID",
  "STORE_WECHAT_MINI_SECRET",
  "STORE_WECHAT_MINI_PUSH_TOKEN",
  "STORE_WECHAT_MINI_PUSH_KEY",
  "STORE_WECHAT_H5_APPID",
  "STORE_WECHAT_H5_SECRET",
  "STORE_WECHAT_PAY_MCHID",
  "STORE_WECHAT_PAY_APPIDS",
  "STORE_WECHAT_PAY_API_V3_KEY",
  "STORE_WECHAT_PAY_SERIAL",
  "STORE_WECHAT_PAY_PRIVATE_KEY",
  "STORE_WECHAT_PAY_PUBLIC_KEYS",
  "STORE_WECHAT_PAY_API_URL",
  "STORE_REAL_NAME_KEY",
  "STORE_REAL_NAME_INDEX_KEY",
  "STORE_REAL_NAME_CHECK_URL",
  "STORE_REAL_NAME_CHECK_TOKEN",
  "STORE_WORKER_SECRET",
  "STORE_SMTP_URL",
  "STORE_SMTP_FROM",
  "STORE_CONSOLE_URL",
  "STORE_WEBHOOK_KEY",
  "STORE_WEBHOOK_PROXY",
];

/**
 * Reports to the database, for the configuration check, where the functions run and which variables are set. Values are
 * not reported. Then it compares the clocks: a store that was off trusts its clock again.
 * @returns a promise that resolves when the report is stored or has failed
 */
export async function reportSettings({ database, env }: { database: Database; env: Environment }): Promise<void> {
  const projectUrl = env.get("SUPABASE_URL") ?? "";
  const settings = database.callInBackground("report_function_settings", {
    p_project_url: projectUrl,
    p_functions_url: env.get("STORE_FUNCTIONS_URL") || `${projectUrl}/functions/v1`,
    p_variables: VARIABLES.filter((name) => env.get(name)),
  });
  const report = Promise.all([settings, reportClock(database)]);
  inBackground("report_settings", () => report);
  await report.catch(() => undefined);
}

/** Tells the database the time of this machine, a second clock beside its own. */
export function reportClock(database: Database): Promise<string> {
  return database.callInBackground("report_clock", { p_clock: new Date().toISOString() });
}
