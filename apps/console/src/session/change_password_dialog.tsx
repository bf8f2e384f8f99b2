import { Button, Modal, PasswordInput, Stack } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { notify } from "../components/notify.ts";
import type { Account, SessionFailure } from "./auth.ts";
import { NewPasswordInput } from "./new_password_input.tsx";
import { useSession } from "./session_context.ts";
import { SessionFailureAlert } from "./session_failure_alert.tsx";

/** Changes the password of the signed-in administrator. */
export function ChangePasswordDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation(["session", "common"]);
  const session = useSession();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<SessionFailure>();
  const [waiting, setWaiting] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setWaiting(true);
    const result = await session.changePassword(account.email, current, password);
    setWaiting(false);
    setFailure(result);
    if (result) return;
    notify(t("newPassword.saved"));
    onClose();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t("newPassword.change")}
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <SessionFailureAlert failure={failure} />
          <PasswordInput
            name="current-password"
            autoComplete="current-password"
            label={t("newPassword.current")}
            required
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
          />
          <NewPasswordInput value={password} onChange={setPassword} />
          <Button type="submit" loading={waiting}>
            {t("newPassword.save")}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
