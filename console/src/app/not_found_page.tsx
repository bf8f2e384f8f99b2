import { Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Page } from "../components/page.tsx";

export function NotFoundPage() {
  const { t } = useTranslation("common");
  return (
    <Page title={t("notFound.title")}>
      <Text>{t("notFound.advice")} <Anchor underline="always" component={Link} to="/overview">{t("nav.overview")}</Anchor></Text>
    </Page>
  );
}
