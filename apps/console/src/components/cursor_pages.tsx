import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ListState } from "./list_state.ts";

/** The position of the page in the URL; undefined for the first page. */
export function cursorOf(state: ListState): number | undefined {
  const cursor = Number(state.get("cursor"));
  return Number.isSafeInteger(cursor) && cursor > 0 ? cursor : undefined;
}

/** The buttons of a list that is read page by page with a cursor. @param next the cursor of the next page */
export function CursorPages({ state, next }: { state: ListState; next: number | null }) {
  const { t } = useTranslation("common");
  const isFirst = cursorOf(state) === undefined;
  if (isFirst && next === null) return null;
  return (
    <Group>
      {!isFirst && (
        <Button variant="default" onClick={() => state.set({ cursor: "" })}>
          {t("paging.first")}
        </Button>
      )}
      {next !== null && (
        <Button variant="default" onClick={() => state.set({ cursor: String(next) })}>
          {t("paging.next")}
        </Button>
      )}
    </Group>
  );
}
