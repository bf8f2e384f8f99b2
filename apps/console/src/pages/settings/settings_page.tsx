import { Anchor, Group, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { TextLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { useAdmin } from "../../store/store.ts";
import { SettingsSection } from "./settings_section.tsx";
import { declared, sections, type SettingName, settingNames } from "./settings_table.ts";

const systemFacts = [
  "version",
  "api_version",
  "commit",
  "runtime",
  "database_version",
  "migration",
  "last_release",
  "waiting_jobs",
  "dead_jobs",
] as const;

/** Whether a setting has a text in its title, hint, choice or name, in either language. */
function isFound(name: SettingName, text: string): boolean {
  const { title, title_zh, hint, hint_zh } = declared(name);
  const wanted = text.trim().toLowerCase();
  return [name, title, title_zh, hint, hint_zh].some((words) => words.toLowerCase().includes(wanted));
}

function SettingsForm({ settings }: { settings: Admin["Settings"] }) {
  const { t } = useTranslation(["settings", "common"]);
  const history = useAdmin("/adminapi/system/settings/history").data;
  const [sought] = useSearchParams();
  const [search, setSearch] = useState("");
  const setting = sought.get("setting");
  useEffect(() => {
    if (setting === null) return;
    // After the title of the page, which receives the focus when it opens.
    queueMicrotask(() =>
      document.querySelector<HTMLElement>(`[data-setting="${CSS.escape(setting)}"] :is(input, button)`)?.focus(),
    );
  }, [setting]);
  const found = sections
    .map((section) => ({
      section,
      names: settingNames.filter((name) => declared(name).section === section && isFound(name, search)),
    }))
    .filter(({ names }) => names.length > 0);
  return (
    <Group align="flex-start" gap="lg" className="settings">
      <Stack component="nav" aria-label={t("index")} gap={4} className="settings-index">
        <TextInput
          type="search"
          aria-label={t("search")}
          placeholder={t("search")}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
          mb="xs"
        />
        {found.map(({ section }) => (
          <Anchor
            key={section}
            component="button"
            type="button"
            size="sm"
            ta="left"
            onClick={() => document.getElementById(`settings-${section}`)?.scrollIntoView({ block: "start" })}
          >
            {t(`sections.${section}`)}
          </Anchor>
        ))}
      </Stack>
      <Stack flex={1} miw={0}>
        {found.length === 0 && (
          <Text c="dimmed" role="status">
            {t("nothingFound")}
          </Text>
        )}
        {found.map(({ section, names }) => (
          <SettingsSection key={section} {...{ section, names, settings, history }} />
        ))}
      </Stack>
    </Group>
  );
}

export function Component() {
  const { t } = useTranslation(["settings", "notices"]);
  const settings = useAdmin("/adminapi/system/settings");
  const metadata = useAdmin("/adminapi/system/metadata");
  return (
    <Page title={t("title")} about={<TextLink to="/settings/messages">{t("notices:messages.title")}</TextLink>}>
      <QueryResult of={settings}>{(saved) => <SettingsForm key={saved.updated_at} settings={saved} />}</QueryResult>
      <Section title={t("system")}>
        <QueryResult of={metadata}>
          {(system) => <DescriptionList items={systemFacts.map((name) => [t(`facts.${name}`), system[name] ?? "–"])} />}
        </QueryResult>
      </Section>
    </Page>
  );
}
