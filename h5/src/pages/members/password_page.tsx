import { Button } from "antd-mobile";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { AuthFailureBox } from "../../session/auth_failure_box.tsx";
import { NewPasswordField, PasswordField } from "../../session/credential_fields.tsx";
import type { SessionFailure } from "../../session/session.ts";
import { useSession } from "../../session/session_context.tsx";

/** Changes the password of the member who is signed in. */
export function Component() {
  const { t } = useTranslation("session");
  const session = useSession();
  const navigate = useNavigate();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<SessionFailure>();
  const [isWaiting, setWaiting] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setWaiting(true);
    const result = await session.setPassword(password, current);
    setWaiting(false);
    setFailure(result === "wrong_password" ? "wrong_current" : result);
    if (result) return;
    notify(t("newPassword.saved"));
    await navigate("/me", { replace: true });
  }

  return (
    <Page title={t("newPassword.change")} back="/me">
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <AuthFailureBox failure={failure} />
        <PasswordField
          label={t("newPassword.current")}
          name="current-password"
          autoComplete="current-password"
          value={current}
          onChange={({ target }) => setCurrent(target.value)}
        />
        <NewPasswordField label={t("newPassword.label")} value={password} onChange={({ target }) => setPassword(target.value)} />
        <Button block type="submit" color="primary" size="large" shape="rounded" loading={isWaiting}>
          {t("newPassword.save")}
        </Button>
        <p className="center">
          <Link to="/forgot-password">{t("forgot.link")}</Link>
        </p>
      </form>
    </Page>
  );
}
