import { Button, Stack, Text, TextInput } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SessionFailure } from "./auth.ts";
import { useSession } from "./session_context.ts";
import { SessionFailureAlert } from "./session_failure_alert.tsx";

/** Sends the link to a new password. The answer is the same whether or not the address has an account. */
export function ForgotPasswordForm({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation("session");
  const session = useSession();
  const [email, setEmail] = useState("");
  const [outcome, setOutcome] = useState<SessionFailure | "sent">();
  const [waiting, setWaiting] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setWaiting(true);
    const failure = await session.requestReset(email.trim());
    setWaiting(false);
    setOutcome(failure ?? "sent");
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {outcome === "sent" ? (
          <Text role="status">{t("forgot.sent", { email: email.trim() })}</Text>
        ) : (
          <>
            <SessionFailureAlert failure={outcome} />
            <Text size="sm">{t("forgot.advice")}</Text>
            <TextInput
              type="email"
              name="email"
              autoComplete="username"
              label={t("email")}
              required
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <Button type="submit" loading={waiting}>
              {t("forgot.send")}
            </Button>
          </>
        )}
        <Button variant="subtle" size="compact-sm" onClick={onLeave}>
          {t("forgot.back")}
        </Button>
      </Stack>
    </form>
  );
}
