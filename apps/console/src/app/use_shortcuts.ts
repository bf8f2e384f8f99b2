import { useLocalStorage } from "@mantine/hooks";
import { useEffect } from "react";

const fields = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=textbox]";
const rows = "main .data-table tbody tr:not(.row-details)";

/** The row of a list that has the focus, or is next to it. Without one, the first. */
function focusRow(by: -1 | 1): void {
  const all = Array.from(document.querySelectorAll<HTMLElement>(rows));
  const present = all.findIndex((row) => row.contains(document.activeElement));
  all[present < 0 ? 0 : present + by]?.querySelector<HTMLElement>("[data-opens] a, a, button, input")?.focus();
}

/** What each key does. Enter follows the link that has the focus, as it does everywhere. */
const actions: Record<string, (openHelp: () => void) => void> = {
  j: () => focusRow(1),
  k: () => focusRow(-1),
  x: () =>
    document.activeElement
      ?.closest("tr")
      ?.querySelector<HTMLElement>("input[type=checkbox]:not([role=switch])")
      ?.click(),
  "/": () => document.querySelector<HTMLElement>("main search input")?.focus(),
  "?": (openHelp) => openHelp(),
};

/** Whether the keys of the lists are on, by browser. */
export const useShortcutsSwitch = () =>
  useLocalStorage({ key: "store-console-shortcuts", defaultValue: true, getInitialValueInEffect: false });

/**
 * The keys of the lists. They do nothing in a field or a dialog, and can be switched off, because a single letter may
 * be what a speech recognizer types.
 */
export function useShortcuts(openHelp: () => void): void {
  const [isOn] = useShortcutsSwitch();
  useEffect(() => {
    if (!isOn) return undefined;
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const isElsewhere = (target as Element).closest(fields) || document.querySelector("[role=dialog]");
      if (ctrlKey || metaKey || altKey || isElsewhere || !Object.hasOwn(actions, key)) return;
      event.preventDefault();
      actions[key]!(openHelp);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isOn, openHelp]);
}
