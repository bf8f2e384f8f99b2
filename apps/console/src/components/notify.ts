import type * as Messages from "@mantine/notifications";
import i18next from "i18next";
import { useSyncExternalStore } from "react";
import { failureOf } from "../../../shared/failure.ts";

type Library = typeof Messages;

let library: Library | undefined;
let onLoaded = () => {};

/**
 * Loads what shows messages. No page begins with one, so this waits until somebody uses the page, when the connection
 * is there.
 */
async function load(): Promise<Library> {
  library ??= await import("@mantine/notifications");
  onLoaded();
  return library;
}
// A message tries again what fails here.
for (const use of ["pointerdown", "keydown"])
  addEventListener(use, () => void load().catch(() => undefined), { once: true });

/** The library that shows messages, as soon as it is loaded. */
export const useMessages = (): Library | undefined =>
  useSyncExternalStore(
    (listener) => {
      onLoaded = listener;
      return () => {
        onLoaded = () => {};
      };
    },
    () => library,
  );

async function show(message: Messages.NotificationData): Promise<void> {
  const { notifications } = await load();
  notifications.show(message);
}

/** Shows a short message after an action. */
export function notify(message: string): void {
  void show({
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
  void show({ title, message: detail, color: "red", autoClose: false });
}
