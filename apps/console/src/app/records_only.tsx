import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Outlet } from "react-router";
import { Page } from "../components/page.tsx";
import { useHasArea } from "../session/own_areas.ts";

/** The pages of members, orders, money and operation, for administrators who may read them. */
export function RecordsOnly() {
  const { t } = useTranslation("common");
  if (useHasArea("records")) return <Outlet />;
  return (
    <Page title={t("roles.notReadable.title")}>
      <Text>{t("roles.notReadable.advice")}</Text>
    </Page>
  );
}
