import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SessionFailure } from "./auth.ts";
import { SessionFailureAlert } from "./session_failure_alert.tsx";
import { useSession } from "./session_context.ts";

/** Email and password. @param email restricts the form to this account @param onDone called when it has signed in */
export function SignInForm({ email: fixedEmail, onDone }: { email?: string; onDone?: () => void }) {
  const { t } = useTranslation("session");
  const session = useSession();
  const [email, setEmail] = useState(fixedEmail ?? "");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<SessionFailure>();
  const [waiting, setWaiting] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setWaiting(true);
    setFailure(undefined);
    const result = await session.signIn(email.trim(), password);
    setWaiting(false);
    setFailure(result);
    if (result) setPassword("");
    else onDone?.();
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <SessionFailureAlert failure={failure} />
        <TextInput
          type="email"
          name="email"
          autoComplete="username"
          label={t("email")}
          required
          readOnly={fixedEmail !== undefined}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          name="password"
          autoComplete="current-password"
          label={t("password")}
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
        />
        <Button type="submit" loading={waiting}>
          {t("signIn")}
        </Button>
      </Stack>
    </form>
  );
}
