import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { Page } from "../../components/page.tsx";
import { ArticleList } from "./article_list.tsx";
import { CategoryList } from "./category_list.tsx";
import { GatePreview } from "./gate_preview.tsx";

const tabs = { articles: ArticleList, categories: CategoryList, gate: GatePreview };
type Tab = keyof typeof tabs;

export function Component() {
  const { t } = useTranslation("articles");
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get("tab") ?? "";
  const tab: Tab = Object.hasOwn(tabs, asked) ? (asked as Tab) : "articles";
  return (
    <Page title={t("title")}>
      <Tabs
        value={tab}
        onChange={(name) => setParameters(name && name !== "articles" ? { tab: name } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List aria-label={t("tabs.label")} mb="sm">
          {Object.keys(tabs).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tabs.${name as Tab}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(tabs).map(([name, Content]) => (
          <Tabs.Panel key={name} value={name}>
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
