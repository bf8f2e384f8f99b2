import type { Database } from "../database/database.ts";
import { requestWithToken } from "./access_token.ts";
import { failureOf, readResponse, type WechatApp } from "./api.ts";

const DEADLINE_MS = 5000;

/**
 * Exchanges a code of a button with open-type getPhoneNumber.
 * @returns the number with its country code, digits only
 * @throws WechatFailure
 */
export async function fetchPhoneNumber(program: WechatApp, database: Database, code: string): Promise<string> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const response = readResponse(
    await requestWithToken(program, database, "/wxa/business/getuserphonenumber", { code }, signal),
  );
  const info = response.phone_info as
    | { purePhoneNumber?: unknown; countryCode?: unknown; watermark?: { appid?: unknown } }
    | undefined;
  const number = `${String(info?.countryCode)}${String(info?.purePhoneNumber)}`;
  if (info?.watermark?.appid !== program.appid || !/^\d{5,20}$/.test(number))
    throw failureOf("no phone number", response);
  return number;
}
