import { Button } from "antd-mobile";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { EmailField, PasswordField } from "./credential_fields.tsx";
import { AuthFailureBox } from "./auth_failure_box.tsx";
import type { SessionFailure } from "./session.ts";
import { useSession } from "./session_context.tsx";

/** Email and password. @param email given where only this account may sign in again */
export function SignInForm({ email: fixedEmail }: { email?: string }) {
  const { t } = useTranslation("session");
  const session = useSession();
  const [email, setEmail] = useState(fixedEmail ?? "");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<SessionFailure>();
  const [isWaiting, setWaiting] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setWaiting(true);
    setFailure(undefined);
    const result = await session.signIn(email.trim(), password);
    setWaiting(false);
    setFailure(result);
    if (result === "wrong_password") setPassword("");
  }

  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <AuthFailureBox failure={failure} />
      <EmailField readOnly={fixedEmail !== undefined} value={email} onChange={({ target }) => setEmail(target.value)} />
      <PasswordField autoComplete="current-password" value={password} onChange={({ target }) => setPassword(target.value)} />
      <Button block type="submit" color="primary" size="large" shape="rounded" loading={isWaiting}>
        {t("signIn")}
      </Button>
      <p className="center">
        <Link to="/forgot-password">{t("forgot.link")}</Link>
      </p>
    </form>
  );
}
