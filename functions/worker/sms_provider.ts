import type { Environment } from "../_shared/ground/env.ts";

/** Why a code was not sent, as far as the person who waits for it can act. */
export type SmsRefusal = "number_refused" | "too_often";

/** The provider will not send this code. Its text has no number. */
export class SmsRefused extends Error {
  constructor(
    readonly reason: SmsRefusal,
    message: string,
  ) {
    super(message);
  }
}

/** A provider of text messages. */
export interface Sms {
  /**
   * Sends a sign-in code. @param phone digits with the country code in front, as Supabase Auth stores it
   * @throws SmsRefused if the provider refuses this number, or any code now; Error, without the number in its text, if
   * it is unknown whether the code was sent
   */
  sendCode(phone: string, code: string, signal: AbortSignal): Promise<void>;
}

/** Creates a provider. @returns undefined if it is not configured @throws Error that names the variable to set */
export type CreateSms = (env: Environment) => Sms | undefined;
