import { useTranslation } from "react-i18next";
import { Form, SubmitButton } from "../../components/form.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { useForm } from "../../components/use_form.ts";
import { AuthFailureBox } from "../../session/auth_failure_box.tsx";
import { EmailField } from "../../session/credential_fields.tsx";
import { useSession } from "../../session/session_context.ts";

/** Sends the link to a new password. The answer is the same whether or not the address has an account. */
export function Component() {
  const { t } = useTranslation("session");
  const session = useSession();
  const form = useForm({ email: "" }, async ({ email }) => (await session.requestReset(email.trim())) ?? "sent");
  return (
    <Page title={t("forgot.title")} back="/sign-in">
      {form.outcome === "sent" ? (
        <p className={layout.card} role="status">
          {t("forgot.sent", { email: form.values.email.trim() })}
        </p>
      ) : (
        <Form of={form}>
          <AuthFailureBox failure={form.outcome} />
          <p>{t("forgot.advice")}</p>
          <EmailField {...form.field("email")} />
          <SubmitButton of={form}>{t("forgot.send")}</SubmitButton>
        </Form>
      )}
    </Page>
  );
}
