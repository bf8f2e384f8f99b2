import type { Environment } from "../ground/env.ts";
import { createWechatPayProvider } from "./wechat_pay/payments.ts";
import { createLocalProvider } from "./local.ts";
import type { PaymentProvider } from "./provider.ts";

/** Creates a provider. @returns undefined if it is not configured. @throws Error that names the invalid settings */
export type CreateProvider = (env: Environment) => PaymentProvider | undefined;

/** The providers at which payments can be started. */
const CREATE: readonly CreateProvider[] = [createWechatPayProvider, createLocalProvider];

/** The configured providers, by name. @throws Error that names the invalid settings */
export function openProviders(env: Environment): ReadonlyMap<string, PaymentProvider> {
  const providers = CREATE.map((create) => create(env)).filter((provider) => provider !== undefined);
  return new Map(providers.map((provider) => [provider.name, provider]));
}
