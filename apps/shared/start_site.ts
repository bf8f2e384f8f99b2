import { createElement, type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { type Config, loadConfig } from "./config.ts";

/** Replaces the loading message of `index.html` by the site, or by the reason why it cannot start. */
export async function startSite(
  startI18n: () => Promise<void>,
  siteOf: (config: Config) => ReactNode,
  failureOf: (error: unknown) => ReactNode,
): Promise<void> {
  const root = createRoot(document.getElementById("root")!);
  const show = (content: ReactNode) => {
    document.getElementById("first-shell")?.remove();
    root.render(content);
  };
  try {
    const [config] = await Promise.all([loadConfig(), startI18n()]);
    show(createElement(StrictMode, null, siteOf(config)));
  } catch (error) {
    show(failureOf(error));
  }
}
