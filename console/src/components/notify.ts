import { notifications } from "@mantine/notifications";
import i18next from "i18next";

/** Shows a short message after an action. */
export function notify(message: string): void {
  notifications.show({
    message,
    color: "green",
    autoClose: 5000,
    withBorder: true,
    closeButtonProps: { "aria-label": i18next.t("close") },
  });
}
