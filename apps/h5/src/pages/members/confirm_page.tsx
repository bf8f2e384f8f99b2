import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate } from "react-router";
import { Button } from "../../components/button.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { AuthFailureBox } from "../../session/auth_failure_box.tsx";
import { forgetMailLink, mailLink } from "../../session/auth_link.ts";
import { forgetReferrer, referrer } from "../../session/referrer.ts";
import type { SessionFailure } from "../../session/session.ts";
import { useSession } from "../../session/session_context.ts";
import { useStore } from "../../store/store.ts";

/** Where the link of the mail after a sign-up leads: a button, because mail servers open links, too. */
export function Component() {
  const { t } = useTranslation("session");
  const session = useSession();
  const api = useStore();
  const [link] = useState(mailLink);
  const [isDone, setDone] = useState(false);
  const [failure, setFailure] = useState<SessionFailure>();
  const [isWaiting, setWaiting] = useState(false);

  if (!link || isDone) return <Navigate to={isDone ? "/" : "/sign-in"} replace />;
  // The link names the referrer, too: the store forgets a sign-up if another one followed before the confirmation. If
  // the store has kept it, the referrer stays.
  const bindReferrer = async () => {
    const spread_uid = referrer();
    if (spread_uid) await api.PUT("/api/user/spread", { body: { spread_uid } }).catch(() => undefined);
    forgetReferrer();
  };
  const confirm = async () => {
    setWaiting(true);
    const result = await session.open(link);
    if (!result) await bindReferrer();
    setWaiting(false);
    setFailure(result);
    if (result) return;
    forgetMailLink();
    setDone(true);
  };
  return (
    <Page title={t("confirm.title")} back="/">
      <div className={layout.stack}>
        <AuthFailureBox failure={failure} />
        <p>{t("confirm.advice")}</p>
        <Button block color="primary" size="large" shape="rounded" loading={isWaiting} onClick={() => void confirm()}>
          {t("confirm.action")}
        </Button>
      </div>
    </Page>
  );
}
