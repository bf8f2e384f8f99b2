import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useHotkeys, useOs } from "@mantine/hooks";
import { Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notifyFailure } from "../components/notify.ts";
import { loadWithTexts } from "../i18n/index.ts";

// What it finds is described in the words of all pages.
const loadSearch = loadWithTexts(() => import("./search_dialog.tsx"));

/**
 * Opens the search, as Ctrl-K (or Cmd-K) does everywhere, also in fields. The search is loaded when it is first opened.
 */
export function SearchButton() {
  const { t } = useTranslation("common");
  const [search, setSearch] = useState<Awaited<ReturnType<typeof loadSearch>>>();
  const isMac = ["macos", "ios"].includes(useOs());
  const toggle = () =>
    void loadSearch().then((loaded) => {
      setSearch(loaded);
      loaded.toggleSearch();
    }, notifyFailure);
  useHotkeys([["mod+K", toggle]], [], true);
  const opens = {
    onClick: toggle,
    "aria-haspopup": "dialog",
    "aria-keyshortcuts": isMac ? "Meta+K" : "Control+K",
  } as const;
  return (
    <>
      <Button
        {...opens}
        visibleFrom="md"
        variant="default"
        size="compact-md"
        c="dimmed"
        fw={400}
        leftSection={<Search size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {isMac ? "⌘ K" : "Ctrl K"}
          </Kbd>
        }
      >
        {t("search.open")}
      </Button>
      <ActionIcon {...opens} hiddenFrom="md" variant="subtle" color="gray" size="lg" aria-label={t("search.open")}>
        <Search size={18} aria-hidden />
      </ActionIcon>
      {search && <search.SearchDialog />}
    </>
  );
}
