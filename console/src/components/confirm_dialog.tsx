import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FailureAlert } from "./failure_alert.tsx";

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** What will happen, in words. */
  children: ReactNode;
  /** What the button says: the action, not "OK". */
  action: string;
  isDangerous?: boolean;
  /** Set while something is missing. */
  disabled?: boolean;
  waiting: boolean;
  error: unknown;
  size?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is done, and stays open with the reason when it is refused. */
export function ConfirmDialog({ opened, title, children, action, isDangerous, disabled, waiting, error, size = "md", onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation("common");
  // Whoever has confirmed hears how it went.
  const close = () => {
    if (!waiting) onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} size={size} closeButtonProps={{ "aria-label": t("close"), disabled: waiting }}>
      <Stack>
        {children}
        <FailureAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={waiting}>{t("cancel")}</Button>
          <Button {...(isDangerous && { color: "red.9" })} onClick={onConfirm} loading={waiting} {...(disabled && { disabled })}>{action}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
