import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FailureAlert } from "./failure_alert.tsx";

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** Explains what will happen. */
  children: ReactNode;
  /** The label of the button: the action, not "OK". */
  action: string;
  isDangerous?: boolean;
  /** True while input is missing. */
  disabled?: boolean;
  waiting: boolean;
  error: unknown;
  size?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** A confirm dialog. It stays open and shows the error if the action fails. */
export function ConfirmDialog({
  opened,
  title,
  children,
  action,
  isDangerous,
  disabled,
  waiting,
  error,
  size = "md",
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { t } = useTranslation("common");
  // A dialog that waits for a response stays open, so that its result is seen.
  const close = () => {
    if (!waiting) onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      size={size}
      closeButtonProps={{ "aria-label": t("close"), disabled: waiting }}
    >
      <Stack>
        {children}
        <FailureAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={waiting}>
            {t("cancel")}
          </Button>
          <Button
            {...(isDangerous && { color: "red.9" })}
            onClick={onConfirm}
            loading={waiting}
            {...(disabled && { disabled })}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
