import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Form, SubmitButton } from "../components/form.tsx";
import { useForm } from "../components/use_form.ts";
import { useStore } from "../store/store.ts";
import { AuthFailureBox } from "./auth_failure_box.tsx";
import { forgetReferrer, referrer } from "./referrer.ts";
import { useSession } from "./session_context.ts";

/** How long a number waits for its next code, in seconds. */
const PAUSE = 60;

/** Counts down to 0, a second at a time. */
function useCountdown(): [seconds: number, start: () => void] {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return [seconds, () => setSeconds(PAUSE)];
}

/** Digits with the country code in front; a number of eleven digits is one of mainland China. */
const international = (phone: string) => {
  const digits = phone.replaceAll(/[\s+-]/g, "");
  return /^1\d{10}$/.test(digits) ? `86${digits}` : digits;
};

/**
 * Signs in, or up, with a code that is sent to a phone.
 * @param phone given where only this account may sign in again
 */
export function PhoneForm({ phone: fixedPhone }: { phone?: string }) {
  const { t } = useTranslation("session");
  const session = useSession();
  const api = useStore();
  const [seconds, startCountdown] = useCountdown();
  const request = useForm({ phone: fixedPhone ?? "" }, async ({ phone }) => {
    const failure = await session.requestCode(international(phone));
    if (!failure || failure === "too_often") startCountdown();
    return failure ?? "sent";
  });
  const form = useForm({ code: "" }, async ({ code }) => {
    const failure = await session.signInWithCode(international(request.values.phone), code.trim());
    if (failure) return failure;
    // A number that signs in for the first time is a new member. One that has a referrer keeps it.
    const spread_uid = referrer();
    if (spread_uid) await api.PUT("/api/user/spread", { body: { spread_uid } }).catch(() => undefined);
    forgetReferrer();
    return undefined;
  });
  return (
    <Form of={form}>
      <AuthFailureBox failure={request.outcome === "sent" ? form.outcome : request.outcome} />
      <TextField
        label={t("phone.number")}
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        required
        readOnly={fixedPhone !== undefined}
        {...request.field("phone")}
      />
      <Button
        block
        disabled={seconds > 0 || request.values.phone === ""}
        loading={request.isPending}
        onClick={request.submit}
      >
        {seconds > 0 ? t("phone.again", { count: seconds }) : t("phone.send")}
      </Button>
      {request.outcome === "sent" && <p role="status">{t("phone.sent")}</p>}
      <TextField
        label={t("phone.code")}
        autoComplete="one-time-code"
        inputMode="numeric"
        pattern="[0-9]{4,10}"
        maxLength={10}
        required
        {...form.field("code")}
      />
      <SubmitButton of={form}>{t("phone.signIn")}</SubmitButton>
    </Form>
  );
}
