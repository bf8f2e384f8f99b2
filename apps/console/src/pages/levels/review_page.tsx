import { Button, SegmentedControl, Stack, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { CursorPages, cursorOf } from "../../components/cursor_pages.tsx";
import { formatCount } from "../../components/figures.tsx";
import { useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useAdmin, useStore } from "../../store/store.ts";
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

/** Raises a member to the level whose tasks they meet, after a confirm dialog. */
function RaiseButton({ member: { uid, nickname, reached_level } }: { member: Reviewed }) {
  const { t } = useTranslation("levels");
  const { admin } = useStore();
  const { of: nameOf } = useLevelName();
  const raise = useAction((level: number, key) =>
    admin.PUT("/adminapi/hjf/member/{uid}/level", { params: { path: { uid } }, body: { agent_level: level }, ...key }),
  );
  const confirmation = useConfirmedAction(raise, () => t("review.raised"));
  if (reached_level === null) return null;
  return (
    <Allowed area="members">
      <Button variant="default" size="xs" onClick={confirmation.ask}>
        {t("review.raise")}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("review.raiseTitle", { nickname })}
        action={t("review.raise")}
        onConfirm={() => confirmation.confirm(reached_level)}
      >
        <Text>{t("review.raiseMeaning", { level: nameOf(reached_level) })}</Text>
      </ConfirmDialog>
    </Allowed>
  );
}

const kinds = ["fall", "rise"] as const;

export function Component() {
  const { t } = useTranslation(["levels", "words", "common"]);
  const state = useListState();
  const cursor = cursorOf(state);
  const kind = kinds.find((name) => name === state.get("kind")) ?? "fall";
  const result = useAdmin(
    "/adminapi/agent/level/review",
    { params: { query: { limit: 50, kind, ...(cursor && { cursor }) } } },
    { placeholderData: keepPreviousData },
  );
  const { of: nameOf } = useLevelName();
  const missingOf = useMissing();
  const columns = [
    column.member("uid", t("words:member")),
    column.custom({
      id: "level",
      title: t("words:level"),
      cell: ({ agent_level, level_is_held }) =>
        `${nameOf(agent_level)}${level_is_held ? ` (${t("review.held")})` : ""}`,
      csv: ({ agent_level }) => nameOf(agent_level),
    }),
    column.words("reached", t("review.reached"), ({ reached_level }) =>
      reached_level === null ? t("review.unknown") : nameOf(reached_level),
    ),
    kind === "rise"
      ? column.custom({ id: "raise", title: t("review.raise"), cell: (row) => <RaiseButton member={row} /> })
      : column.custom({
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
    <Page title={t("review.title")} about={t(`review.about.${kind}`)}>
      <SegmentedControl
        aria-label={t("review.kind")}
        data={kinds.map((name) => ({ value: name, label: t(`review.kinds.${name}`) }))}
        value={kind}
        onChange={(name) => state.set({ kind: name === "fall" ? "" : name, cursor: "" })}
      />
      <QueryResult of={result}>
        {({ list, next_cursor }) => (
          <>
            {list.length > 0 && (
              <PlainTable
                label={t("review.title")}
                columns={columns}
                rows={list}
                rowId={({ uid }) => uid}
                exportAs="level-review"
              />
            )}
            {list.length === 0 && (
              <Text c="dimmed">{next_cursor ? t("review.emptyPage") : t(`review.empty.${kind}`)}</Text>
            )}
            <CursorPages state={state} next={next_cursor} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}
