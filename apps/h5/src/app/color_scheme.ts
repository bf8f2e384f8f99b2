import { useSyncExternalStore } from "react";

/** `system` follows the settings of the phone. */
export type ColorScheme = "system" | "light" | "dark";
export const colorSchemes: readonly ColorScheme[] = ["system", "light", "dark"];

const storageKey = "store-h5-color-scheme";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function chosen(): ColorScheme {
  const stored = localStorage.getItem(storageKey);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Shows the page in the chosen scheme. The attribute is the one that the component library reads. */
export function showColorScheme(): void {
  const apply = () => {
    const scheme = chosen();
    const isDark = scheme === "dark" || (scheme === "system" && prefersDark.matches);
    document.documentElement.setAttribute("data-prefers-color-scheme", isDark ? "dark" : "light");
  };
  apply();
  prefersDark.addEventListener("change", apply);
  listeners.add(apply);
}

/** The chosen scheme, and a function that changes it. The choice is kept for later visits. */
export function useColorScheme(): [ColorScheme, (scheme: ColorScheme) => void] {
  const scheme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
  const choose = (next: ColorScheme) => {
    localStorage.setItem(storageKey, next);
    for (const listener of listeners) listener();
  };
  return [scheme, choose];
}
