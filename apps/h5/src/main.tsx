import { startSite } from "../../shared/start_site.ts";
import { App } from "./app/app.tsx";
import { loadTabs, router } from "./app/router.tsx";
import { showColorScheme } from "./app/color_scheme.ts";
import { StartFailure } from "./app/start_failure.tsx";
import { showKnownSite } from "./app/site.ts";
import { startI18n } from "./i18n/index.ts";
import { returnFromMail } from "./session/auth_link.ts";
import { rememberReferrer } from "./session/referrer.ts";
import { returnFromWechat } from "./session/wechat.ts";
// After those of the component library: where both style an element, the app decides.
import "../../shared/member_styles/styles.css";

/** The first page asks for its own files and data before the other tabs are loaded, in milliseconds. */
const tabsAfter = 1000;

/** Keeps the files of the app, so that it opens without a connection. Pages by plain http have no service workers. */
function keepFiles(): void {
  if (import.meta.env.PROD && "serviceWorker" in navigator)
    void navigator.serviceWorker.register("./service_worker.js", { type: "module" }).catch(() => undefined);
}

/** Whoever has switched on the data saver of the browser loads only what is opened. */
const savesData = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

showColorScheme();
showKnownSite();
rememberReferrer();
const opened = returnFromMail();
if (opened) void router.navigate(opened, { replace: true });
if (returnFromWechat()) void router.navigate("/sign-in/wechat", { replace: true });
void startSite(
  startI18n,
  (config) => {
    setTimeout(() => {
      if (!savesData) loadTabs();
      keepFiles();
    }, tabsAfter);
    return <App config={config} />;
  },
  (error) => <StartFailure error={error} />,
);
