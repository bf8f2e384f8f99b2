import { Button } from "antd-mobile";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../components/field.tsx";
import { EmailField, NewPasswordField } from "./credential_fields.tsx";
import { forgetReferrer, referrer } from "./referrer.ts";
import { AuthFailureBox } from "./auth_failure_box.tsx";
import type { SessionFailure } from "./session.ts";
import { useSession } from "./session_context.tsx";

/** A new member, with the referrer of the share link. */
export function SignUpForm() {
  const { t } = useTranslation("session");
  const session = useSession();
  const [nickname, setNickname] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [outcome, setOutcome] = useState<SessionFailure | "confirm">();
  const [isWaiting, setWaiting] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setWaiting(true);
    setOutcome(undefined);
    const result = await session.signUp({ email: email.trim(), password, nickname: nickname.trim(), referrer: referrer() });
    setWaiting(false);
    setOutcome(result);
    if (!result || result === "confirm") forgetReferrer();
  }

  if (outcome === "confirm") return <p role="status">{t("confirmMail", { email })}</p>;
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <AuthFailureBox failure={outcome} />
      <TextField
        label={t("nickname")}
        name="nickname"
        autoComplete="nickname"
        maxLength={64}
        required
        value={nickname}
        onChange={({ target }) => setNickname(target.value)}
      />
      <EmailField value={email} onChange={({ target }) => setEmail(target.value)} />
      <NewPasswordField label={t("password")} value={password} onChange={({ target }) => setPassword(target.value)} />
      <Button block type="submit" color="primary" size="large" shape="rounded" loading={isWaiting}>
        {t("signUp")}
      </Button>
    </form>
  );
}
