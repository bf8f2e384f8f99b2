import { join } from "node:path";
import { type StackPlace, projectRoot } from "../ground/paths.ts";
import { freePort, host } from "../ground/ports.ts";
import type { Part } from "../ground/part.ts";
import type { Running } from "../ground/running.ts";
import { passwordOf, type State } from "../ground/state.ts";

/** The path of the payment pages. */
export const paymentsPath = "/pay";

/**
 * The running local payment provider: its process, its port, the file of its payments, and the variables with which the
 * edge functions use it.
 */
export interface LocalPayments {
  part: Part;
  port: number;
  file: string;
  environment: { STORE_LOCAL_PAYMENTS_URL: string; STORE_LOCAL_PAYMENTS_SECRET: string };
}

/** Starts the local payment provider. */
export async function startPayments(
  place: StackPlace,
  state: State,
  supabaseUrl: string,
  running: Running,
): Promise<LocalPayments> {
  const port = await freePort();
  const secret = `whsec_${Buffer.from(passwordOf(state, "local_payments")).toString("base64")}`;
  const file = join(place.directory, "payments.json");
  const settings = {
    port,
    secret,
    file,
    pageUrl: `${supabaseUrl}${paymentsPath}`,
    notifyUrl: `${supabaseUrl}/functions/v1/api/pay/notify/local`,
  };
  const part = await running.startPart({
    name: "The local payment provider",
    command: process.execPath,
    args: [join(projectRoot, "scripts/bootstrap.mjs"), "stack/payments/server.ts"],
    env: { LOCAL_PAYMENTS_SETTINGS: JSON.stringify(settings), NO_COLOR: "1" },
    logFile: place.logFile("payments"),
    isReady: () =>
      fetch(`http://${host}:${port}/`, { signal: AbortSignal.timeout(5_000) }).then(
        (response) => response.body?.cancel().then(() => true) ?? true,
        () => false,
      ),
  });
  return {
    part,
    port,
    file,
    environment: { STORE_LOCAL_PAYMENTS_URL: `http://${host}:${port}`, STORE_LOCAL_PAYMENTS_SECRET: secret },
  };
}
