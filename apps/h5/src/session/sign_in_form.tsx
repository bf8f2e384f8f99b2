import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Form, SubmitButton } from "../components/form.tsx";
import { useForm } from "../components/use_form.ts";
import { AuthFailureBox } from "./auth_failure_box.tsx";
import { EmailField, PasswordField } from "./credential_fields.tsx";
import { useSession } from "./session_context.ts";

/** Email and password. @param email given where only this account may sign in again */
export function SignInForm({ email: fixedEmail }: { email?: string }) {
  const { t } = useTranslation("session");
  const session = useSession();
  const form = useForm(
    { email: fixedEmail ?? "", password: "" },
    ({ email, password }) => session.signIn(email.trim(), password),
    (failure) => failure === "wrong_password" && form.change({ password: "" }),
  );
  return (
    <Form of={form}>
      <AuthFailureBox failure={form.outcome} />
      <EmailField readOnly={fixedEmail !== undefined} {...form.field("email")} />
      <PasswordField autoComplete="current-password" {...form.field("password")} />
      <SubmitButton of={form}>{t("signIn")}</SubmitButton>
      <p className="center">
        <Link to="/forgot-password">{t("forgot.link")}</Link>
      </p>
    </Form>
  );
}
