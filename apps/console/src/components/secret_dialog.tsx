import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

interface SecretDialogProps {
  title: string;
  /** What the secret is for, and what helps if it is lost. */
  meaning: string;
  secret: string;
  onClose: () => void;
}

/** Shows a secret once. Only its button closes it, so that nobody loses the secret by a click beside it. */
export function SecretDialog({ title, meaning, secret, onClose }: SecretDialogProps) {
  const { t } = useTranslation("machine_keys");
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(secret).then(() => setCopied(true));
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Alert color="yellow">{meaning}</Alert>
        <TextInput
          label={t("secret.label")}
          value={secret}
          readOnly
          ff="monospace"
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => void copy().catch(() => setCopied(false))}>
            {t(isCopied ? "secret.copied" : "secret.copy")}
          </Button>
          <Button onClick={onClose}>{t("secret.close")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
