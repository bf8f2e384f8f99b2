import { Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Page } from "../components/page.tsx";
import { useMenu } from "./navigation.ts";

export function NotFoundPage() {
  const { t } = useTranslation("common");
  const { route, name } = useMenu()[0]!.pages[0]!;
  return (
    <Page title={t("notFound.title")}>
      <Text>
        {t("notFound.advice")}{" "}
        <Anchor underline="always" component={Link} to={`/${route}`}>
          {t(`nav.${name}`)}
        </Anchor>
      </Text>
    </Page>
  );
}
