import { Button, Stack } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AuthLink } from "../../../shared/auth_link.ts";
import type { SessionFailure } from "./auth.ts";
import { NewPasswordInput } from "./new_password_input.tsx";
import { useSession } from "./session_context.ts";
import { SessionFailureAlert } from "./session_failure_alert.tsx";
import { SignInFrame } from "./sign_in_frame.tsx";

/** Where the link of a mail leads: opens it and sets the password in its session. */
export function NewPasswordPage({ link, onLeave }: { link: AuthLink; onLeave: () => void }) {
  const { t } = useTranslation("session");
  const session = useSession();
  // A link works once, so a password that Auth rejects is sent again without it.
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<SessionFailure>();
  const [waiting, setWaiting] = useState(false);

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
    if (!result) onLeave();
  }

  return (
    <SignInFrame title={t("newPassword.title")}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <SessionFailureAlert failure={failure} />
          <NewPasswordInput value={password} onChange={setPassword} />
          <Button type="submit" loading={waiting}>
            {t("newPassword.save")}
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={onLeave}>
            {t("forgot.back")}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
