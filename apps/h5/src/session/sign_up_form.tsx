import { useTranslation } from "react-i18next";
import { TextField } from "../components/field.tsx";
import { Form, SubmitButton } from "../components/form.tsx";
import { useForm } from "../components/use_form.ts";
import { AuthFailureBox } from "./auth_failure_box.tsx";
import { EmailField, NewPasswordField } from "./credential_fields.tsx";
import { forgetReferrer, referrer } from "./referrer.ts";
import { useSession } from "./session_context.ts";

/** A new member, with the referrer of the share link. */
export function SignUpForm() {
  const { t } = useTranslation("session");
  const session = useSession();
  const form = useForm({ nickname: "", email: "", password: "" }, async ({ nickname, email, password }) => {
    const outcome = await session.signUp({
      email: email.trim(),
      password,
      nickname: nickname.trim(),
      referrer: referrer(),
    });
    if (!outcome || outcome === "confirm") forgetReferrer();
    return outcome;
  });
  if (form.outcome === "confirm") return <p role="status">{t("confirmMail", { email: form.values.email })}</p>;
  return (
    <Form of={form}>
      <AuthFailureBox failure={form.outcome} />
      <TextField label={t("nickname")} autoComplete="nickname" maxLength={64} required {...form.field("nickname")} />
      <EmailField {...form.field("email")} />
      <NewPasswordField label={t("password")} {...form.field("password")} />
      <SubmitButton of={form}>{t("signUp")}</SubmitButton>
    </Form>
  );
}
