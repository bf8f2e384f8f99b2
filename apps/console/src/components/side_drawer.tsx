import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** A drawer beside a list. It cannot be closed while a request is running. */
export function SideDrawer({
  title,
  waiting = false,
  onClose,
  children,
}: {
  title: string;
  waiting?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("common");
  const close = () => {
    if (!waiting) onClose();
  };
  return (
    <Drawer
      opened
      onClose={close}
      title={title}
      position="right"
      size="lg"
      closeButtonProps={{ "aria-label": t("close"), disabled: waiting }}
    >
      {children}
    </Drawer>
  );
}
