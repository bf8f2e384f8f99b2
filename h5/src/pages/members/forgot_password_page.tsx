import { Button } from "antd-mobile";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Page } from "../../components/page.tsx";
import { AuthFailureBox } from "../../session/auth_failure_box.tsx";
import { EmailField } from "../../session/credential_fields.tsx";
import type { SessionFailure } from "../../session/session.ts";
import { useSession } from "../../session/session_context.tsx";

/** Sends the link to a new password. The answer is the same whether or not the address has an account. */
export function Component() {
  const { t } = useTranslation("session");
  const session = useSession();
  const [email, setEmail] = useState("");
  const [outcome, setOutcome] = useState<SessionFailure | "sent">();
  const [isWaiting, setWaiting] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setWaiting(true);
    const failure = await session.requestReset(email.trim());
    setWaiting(false);
    setOutcome(failure ?? "sent");
  }

  return (
    <Page title={t("forgot.title")} back="/sign-in">
      {outcome === "sent" ? (
        <p className="card" role="status">
          {t("forgot.sent", { email: email.trim() })}
        </p>
      ) : (
        <form className="stack" onSubmit={(event) => void submit(event)}>
          <AuthFailureBox failure={outcome} />
          <p>{t("forgot.advice")}</p>
          <EmailField value={email} onChange={({ target }) => setEmail(target.value)} />
          <Button block type="submit" color="primary" size="large" shape="rounded" loading={isWaiting}>
            {t("forgot.send")}
          </Button>
        </form>
      )}
    </Page>
  );
}
