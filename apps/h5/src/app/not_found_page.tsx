import { useTranslation } from "react-i18next";
import { Empty } from "../components/empty.tsx";
import { Page } from "../components/page.tsx";

export function NotFoundPage() {
  const { t } = useTranslation("common");
  return (
    <Page title={t("notFound.title")} back="/">
      <Empty text={t("notFound.advice")} action={{ to: "/", label: t("tabs.products") }} />
    </Page>
  );
}
