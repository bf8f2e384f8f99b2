import { Button } from "antd-mobile";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useNavigate } from "react-router";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { AuthFailureBox } from "../../session/auth_failure_box.tsx";
import { forgetMailLink, mailLink } from "../../session/auth_link.ts";
import { NewPasswordField } from "../../session/credential_fields.tsx";
import type { SessionFailure } from "../../session/session.ts";
import { useSession } from "../../session/session_context.tsx";

/** Where the link of "Forgot password" leads: opens it and sets the password in its session. */
export function Component() {
  const { t } = useTranslation("session");
  const session = useSession();
  const navigate = useNavigate();
  const [link] = useState(mailLink);
  // A link works once, so a password that Auth rejects is sent again without it.
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<SessionFailure>();
  const [isWaiting, setWaiting] = useState(false);

  if (!link) return <Navigate to="/forgot-password" replace />;
  const save = async () => {
    const rejected = isOpen ? undefined : await session.open(link);
    if (rejected) return rejected;
    setOpen(true);
    return session.setPassword(password);
  };

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setWaiting(true);
    const result = await save();
    setWaiting(false);
    setFailure(result);
    if (result) return;
    forgetMailLink();
    notify(t("newPassword.saved"));
    await navigate("/me", { replace: true });
  }

  return (
    <Page title={t("newPassword.title")} back="/">
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <AuthFailureBox failure={failure} />
        {failure === "link_used" && (
          <p className="center">
            <Link to="/forgot-password" replace>
              {t("forgot.again")}
            </Link>
          </p>
        )}
        <NewPasswordField label={t("newPassword.label")} value={password} onChange={({ target }) => setPassword(target.value)} />
        <Button block type="submit" color="primary" size="large" shape="rounded" loading={isWaiting}>
          {t("newPassword.save")}
        </Button>
      </form>
    </Page>
  );
}
