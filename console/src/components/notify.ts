import { notifications } from "@mantine/notifications";
import i18next from "i18next";
import { failureOf } from "../../../web/failure.ts";

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

/** Shows why an action failed, until the message is closed. */
export function notifyFailure(error: unknown): void {
  const { title, detail } = failureOf(error);
  notifications.show({ title, message: detail, color: "red", autoClose: false });
}
