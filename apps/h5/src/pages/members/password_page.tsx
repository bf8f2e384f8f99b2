import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { Form, SubmitButton } from "../../components/form.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { useForm } from "../../components/use_form.ts";
import { AuthFailureBox } from "../../session/auth_failure_box.tsx";
import { NewPasswordField, PasswordField } from "../../session/credential_fields.tsx";
import { useSession } from "../../session/session_context.ts";

/** Changes the password of the member who is signed in. */
export function Component() {
  const { t } = useTranslation("session");
  const session = useSession();
  const navigate = useNavigate();
  const form = useForm({ "current-password": "", password: "" }, async ({ "current-password": current, password }) => {
    const failure = await session.setPassword(password, current);
    if (failure) return failure;
    notify(t("newPassword.saved"));
    await navigate("/me", { replace: true });
    return undefined;
  });
  return (
    <Page title={t("newPassword.change")} back="/me">
      <Form of={form}>
        <AuthFailureBox failure={form.outcome} />
        <PasswordField
          label={t("newPassword.current")}
          autoComplete="current-password"
          {...form.field("current-password")}
        />
        <NewPasswordField label={t("newPassword.label")} {...form.field("password")} />
        <SubmitButton of={form}>{t("newPassword.save")}</SubmitButton>
        <p className="center">
          <Link to="/forgot-password">{t("forgot.link")}</Link>
        </p>
      </Form>
    </Page>
  );
}
