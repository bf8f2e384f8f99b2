import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useServerIsBack } from "../../../shared/server_is_back.ts";
import { Page } from "../components/page.tsx";

/** Shown instead of a page that could not be loaded. The page opens when the connection is restored. */
export function PageNotLoadedPage() {
  const { t } = useTranslation("common");
  const { isAway, ask } = useServerIsBack();
  return (
    <Page title={t("notLoaded.title")}>
      <Text role="status">{t(isAway ? "notLoaded.noConnection" : "notLoaded.newer")}</Text>
      <div>
        <Button onClick={isAway ? ask : () => location.reload()}>{t(isAway ? "tryAgain" : "reload")}</Button>
      </div>
    </Page>
  );
}
