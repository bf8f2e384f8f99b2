import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app/styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { takeAuthLink } from "../../web/auth_link.ts";
import { App } from "./app/app.tsx";
import { router } from "./app/router.tsx";
import { loadConfig } from "../../web/config.ts";
import { StartFailure } from "./app/start_failure.tsx";
import { startI18n } from "./i18n/index.ts";

const root = createRoot(document.getElementById("root")!);
const shell = document.getElementById("first-shell");

const opened = takeAuthLink();
// The router has taken what the link brings for a route.
if (opened) void router.navigate("/", { replace: true });
try {
  const [config] = await Promise.all([loadConfig(), startI18n()]);
  shell?.remove();
  root.render(
    <StrictMode>
      <App config={config} opened={opened} />
    </StrictMode>,
  );
} catch (error) {
  shell?.remove();
  root.render(<StartFailure error={error} />);
}
