import { Button, Drawer, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FailureAlert } from "./failure_alert.tsx";
import { RestoredNotice } from "./restored_notice.tsx";

interface FormDrawerProps {
  title: string;
  draft: { isRestored: boolean; discard: () => void };
  waiting: boolean;
  error: unknown;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A form at the side of a list. Closing it keeps the input as a draft; a refusal is said below the fields. */
export function FormDrawer({ title, draft, waiting, error, onSave, onClose, children }: FormDrawerProps) {
  const { t } = useTranslation("common");
  const close = () => {
    if (!waiting) onClose();
  };
  return (
    <Drawer opened onClose={close} title={title} position="right" size="lg" closeButtonProps={{ "aria-label": t("close"), disabled: waiting }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        <Stack>
          <RestoredNotice draft={draft} />
          {children}
          <FailureAlert error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={waiting}>{t("cancel")}</Button>
            <Button type="submit" loading={waiting}>{t("save")}</Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}
