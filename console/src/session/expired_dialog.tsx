import { Button, Group, Modal, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Account } from "./auth.ts";
import { useSession } from "./session_context.ts";
import { SignInForm } from "./sign_in_form.tsx";

/** A sign-in dialog above the open page, so that its input is not lost. */
export function ExpiredDialog({ account }: { account: Account }) {
  const { t } = useTranslation("session");
  const session = useSession();
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t("expired.title")}
      zIndex={500}
    >
      <Text mb="md">{t("expired.advice")}</Text>
      <SignInForm email={account.email} />
      <Group justify="flex-end" mt="sm">
        <Button variant="subtle" size="compact-sm" onClick={() => void session.signOut()}>
          {t("otherAccount")}
        </Button>
      </Group>
    </Modal>
  );
}
