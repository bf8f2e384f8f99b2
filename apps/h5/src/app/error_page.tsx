import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import { PageNotLoaded } from "../../../shared/load_page.ts";
import { useServerIsBack } from "../../../shared/server_is_back.ts";
import { Button } from "../components/button.tsx";
import layout from "../../../shared/member_styles/layout.module.css";
import { Page } from "../components/page.tsx";

/** Shown instead of a page that could not be loaded. The page opens when the connection is back. */
function NotLoadedPage() {
  const { t } = useTranslation("common");
  const { isAway, ask } = useServerIsBack();
  return (
    <Page title={t("notLoaded.title")} back="/">
      <div className={layout.centered}>
        <p role="status">{t(isAway ? "notLoaded.noConnection" : "notLoaded.newer")}</p>
        <Button color="primary" onClick={isAway ? ask : () => location.reload()}>
          {t(isAway ? "tryAgain" : "reload")}
        </Button>
      </div>
    </Page>
  );
}

/** Shown instead of a page that failed or could not be loaded. */
export function ErrorPage() {
  const { t } = useTranslation("common");
  const error = useRouteError();
  if (error instanceof PageNotLoaded) return <NotLoadedPage />;
  return (
    <Page title={t("broken.title")} back="/">
      <div className={layout.centered}>
        <p>{t("broken.advice")}</p>
        <pre className="weak wrap">{String(error)}</pre>
        <Button color="primary" onClick={() => location.reload()}>
          {t("reload")}
        </Button>
      </div>
    </Page>
  );
}
