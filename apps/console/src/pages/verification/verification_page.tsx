import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { Page } from "../../components/page.tsx";
import { Configuration } from "./configuration.tsx";
import { Reconciliation } from "./reconciliation.tsx";

/** The two checks of the store: of its settings, and of its books. */
export function Component() {
  const { t } = useTranslation("verification");
  const [parameters, setParameters] = useSearchParams();
  const tab = parameters.get("tab") === "reconcile" ? "reconcile" : "configuration";
  return (
    <Page title={t("title")}>
      <Tabs
        value={tab}
        onChange={(name) => setParameters(name === "reconcile" ? { tab: name } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List aria-label={t("title")} mb="md">
          <Tabs.Tab value="configuration">{t("configuration")}</Tabs.Tab>
          <Tabs.Tab value="reconcile">{t("reconcile.title")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="configuration">
          <Configuration />
        </Tabs.Panel>
        <Tabs.Panel value="reconcile">
          <Reconciliation />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
