import { Button, Code, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import { PageNotLoaded } from "../../../shared/load_page.ts";
import { Page } from "../components/page.tsx";
import { PageNotLoadedPage } from "./page_not_loaded.tsx";

/** Shown instead of a page that failed or could not be loaded. */
export function ErrorPage() {
  const { t } = useTranslation("common");
  const error = useRouteError();
  if (error instanceof PageNotLoaded) return <PageNotLoadedPage />;
  return (
    <Page title={t("broken.title")}>
      <Text mb="md">{t("broken.advice")}</Text>
      <Code block mb="md">
        {String(error)}
      </Code>
      <Button onClick={() => location.reload()}>{t("reload")}</Button>
    </Page>
  );
}
