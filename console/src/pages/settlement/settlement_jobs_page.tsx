import { Button, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { ChoiceFilter, FilterBar } from "../../components/filter_bar.tsx";
import { useListState } from "../../components/list_state.ts";
import { OrderLink } from "../../components/links.tsx";
import { Page } from "../../components/page.tsx";
import { Tag } from "../../components/tag.tsx";
import { notify } from "../../components/notify.ts";
import { Time } from "../../components/time.tsx";
import { useAdmin, useStore } from "../../store/store.tsx";
import { useAction } from "../../../../web/use_action.ts";

type Job = Admin["SettlementJob"];

const states = ["waiting", "dead"] as const;
const lookAgain = 15_000;

export function Component() {
  const { t } = useTranslation(["settlement", "words"]);
  const { admin } = useStore();
  const state = useListState();
  const shown = state.get("state") as Job["state"] | "";
  const source = {
    path: "/adminapi/hjf/jobs",
    params: { query: { page: state.page, limit: defaultPageSize, ...(shown && { state: shown }) } },
  } as const;
  const result = useAdmin().useQuery(
    "get",
    source.path,
    { params: source.params },
    { placeholderData: keepPreviousData, refetchInterval: lookAgain },
  );
  const retry = useAction((id: number, key) => admin.POST("/adminapi/hjf/jobs/{id}/retry", { params: { path: { id } }, body: {}, ...key }));
  const { mutate, isPending, variables } = retry;
  const columns = useMemo<Column<Job>[]>(
    () => [
      { id: "order", title: t("words:order"), cell: ({ order_id }) => <OrderLink id={order_id} />, csv: ({ order_id }) => order_id },
      {
        id: "state",
        title: t("words:state"),
        cell: ({ state: jobState }) => <Tag color={jobState === "dead" ? "red" : "blue"}>{t(`words:jobState.${jobState}`)}</Tag>,
        csv: ({ state: jobState }) => t(`words:jobState.${jobState}`),
      },
      { id: "attempts", title: t("attempts"), align: "right", cell: ({ attempts }) => attempts, csv: ({ attempts }) => attempts },
      {
        id: "error",
        title: t("error"),
        cell: ({ last_error }) => (
          <Text size="sm" maw={420} style={{ whiteSpace: "normal" }}>
            {last_error ?? "–"}
          </Text>
        ),
        csv: ({ last_error }) => last_error,
      },
      {
        id: "next",
        title: t("next"),
        cell: ({ state: jobState, run_after }) => (jobState === "dead" ? "–" : <Time value={run_after} />),
        csv: ({ state: jobState, run_after }) => (jobState === "dead" ? "" : run_after),
      },
      { id: "since", title: t("since"), cell: ({ created_at }) => <Time value={created_at} />, csv: ({ created_at }) => created_at },
      {
        id: "retry",
        title: t("retry"),
        cell: ({ order_id }) => (
          <Allowed area="money" inRow>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<RotateCw size={14} aria-hidden />}
              aria-label={`${t("retry")}: ${t("words:order")} ${order_id}`}
              loading={isPending && variables === order_id}
              onClick={() => mutate(order_id, { onSuccess: () => notify(t("retried", { id: order_id })) })}
            >
              {t("retry")}
            </Button>
          </Allowed>
        ),
      },
    ],
    [t, mutate, isPending, variables],
  );

  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar state={state} names={["state"]}>
        <ChoiceFilter
          state={state}
          name="state"
          label={t("words:state")}
          choices={states.map((value) => ({ value, label: t(`words:jobState.${value}`) }))}
        />
      </FilterBar>
      <FailureAlert error={retry.error} />
      <DataTable
        name="jobs"
        label={t("title")}
        columns={columns}
        rowId={({ order_id }) => order_id}
        result={result}
        state={state}
        source={source}
        empty={t(shown ? "emptyFiltered" : "empty")}
      />
    </Page>
  );
}
