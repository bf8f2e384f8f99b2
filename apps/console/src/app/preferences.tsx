import { ActionIcon, Button, Menu, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { Check, Languages, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { notifyFailure } from "../components/notify.ts";
import { type Language, languages } from "../../../shared/languages.ts";
import { chooseLanguage } from "../i18n/index.ts";

/** Chooses the language. Each language is shown under its own name, so that everyone finds theirs. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation("common");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          leftSection={<Languages size={16} aria-hidden />}
          aria-label={`${t("language")}: ${languages[i18n.language as Language]}`}
        >
          {languages[i18n.language as Language]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(languages).map(([language, name]) => (
          <Menu.Item
            key={language}
            lang={language}
            leftSection={
              language === i18n.language ? (
                <Check size={14} aria-hidden />
              ) : (
                <span style={{ width: 14, display: "block" }} />
              )
            }
            onClick={() => void chooseLanguage(language as Language).catch(notifyFailure)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Chooses light or dark. The default is the setting of the system. */
export function ColorSchemeButton() {
  const { t } = useTranslation("common");
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t(`scheme.${other}`)}
      title={t(`scheme.${other}`)}
      onClick={() => setColorScheme(other)}
    >
      {scheme === "dark" ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
    </ActionIcon>
  );
}
