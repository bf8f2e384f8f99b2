import { Stack, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { CursorPages, cursorOf } from "../../components/cursor_pages.tsx";
import { formatCount } from "../../components/figures.tsx";
import { useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useAdmin } from "../../store/store.ts";
import { useLevelName } from "../members/level_badge.tsx";

type Reviewed = Admin["ReviewedMember"];

const column = columnsOf<Reviewed>();

/** The tasks that are not met, one line each. */
function useMissing(): (row: Reviewed) => string[] {
  const { t } = useTranslation(["levels", "words"]);
  return ({ missing }) =>
    missing?.map(({ agent_level, type, target, current }) =>
      t("review.missingTask", {
        grade: agent_level,
        task: t(`words:task.${type}`),
        current: formatCount(current),
        target: formatCount(target),
      }),
    ) ?? [t("review.notCounted")];
}

export function Component() {
  const { t } = useTranslation(["levels", "words", "common"]);
  const state = useListState();
  const cursor = cursorOf(state);
  const result = useAdmin(
    "/adminapi/agent/level/review",
    { params: { query: { limit: 50, ...(cursor && { cursor }) } } },
    { placeholderData: keepPreviousData },
  );
  const { of: nameOf } = useLevelName();
  const missingOf = useMissing();
  const columns = [
    column.member("uid", t("words:member")),
    column.custom({
      id: "level",
      title: t("words:level"),
      cell: ({ agent_level, level_is_held }) => `${nameOf(agent_level)}${level_is_held ? ` (${t("review.held")})` : ""}`,
      csv: ({ agent_level }) => nameOf(agent_level),
    }),
    column.words("reached", t("review.reached"), ({ reached_level }) =>
      reached_level === null ? t("review.unknown") : nameOf(reached_level),
    ),
    column.custom({
      id: "missing",
      title: t("review.missing"),
      cell: (row) => (
        <Stack gap={0}>
          {missingOf(row).map((line) => (
            <Text key={line} size="sm">
              {line}
            </Text>
          ))}
        </Stack>
      ),
      csv: (row) => missingOf(row).join("; "),
    }),
  ];

  return (
    <Page title={t("review.title")} about={t("review.about")}>
      <QueryResult of={result}>
        {({ list, next_cursor }) => (
          <>
            {list.length > 0 && (
              <PlainTable label={t("review.title")} columns={columns} rows={list} rowId={({ uid }) => uid} exportAs="level-review" />
            )}
            {list.length === 0 && <Text c="dimmed">{next_cursor ? t("review.emptyPage") : t("review.empty")}</Text>}
            <CursorPages state={state} next={next_cursor} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}
