import "./app/components.css";
import "./app/styles.css";
import "./app/print.css";
import { takeAuthLink } from "../../shared/auth_link.ts";
import { startSite } from "../../shared/start_site.ts";
import { App } from "./app/app.tsx";
import { router } from "./app/router.tsx";
import { StartFailure } from "./app/start_failure.tsx";
import { startI18n } from "./i18n/index.ts";

const opened = takeAuthLink();
// The router has taken what the link brings for a route.
if (opened) void router.navigate("/", { replace: true });
void startSite(
  startI18n,
  (config) => <App config={config} opened={opened} />,
  (error) => <StartFailure error={error} />,
);
