import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";

/** A key that was made, with its secret. */
export interface MadeKey {
  secret: string;
  machine_key: Admin["MachineKey"];
}

/** Shows the secret of a key once. Only its button closes it, so that nobody loses the secret by a click beside it. */
export function SecretDialog({ made: { secret, machine_key }, onClose }: { made: MadeKey; onClose: () => void }) {
  const { t } = useTranslation("machine_keys");
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(secret).then(() => setCopied(true));
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("secret.title", { name: machine_key.name })}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Alert color="yellow">{t("secret.meaning")}</Alert>
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
