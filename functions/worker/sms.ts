import { createAliyun } from "./sms_aliyun.ts";
import type { CreateSms, Sms } from "./sms_provider.ts";
import type { Environment } from "../_shared/ground/env.ts";

/** The providers. Another one is another file, and another line here. */
const CREATE: readonly CreateSms[] = [createAliyun];

/** The configured provider of text messages. */
export function openSms(env: Environment): Sms | undefined {
  return CREATE.map((create) => create(env)).find((provider) => provider !== undefined);
}
