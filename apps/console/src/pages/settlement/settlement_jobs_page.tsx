import { Button } from "@mantine/core";
import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { ChoiceFilter, FilterBar } from "../../components/filter_bar.tsx";
import { Page } from "../../components/page.tsx";
import { notify } from "../../components/notify.ts";
import { Time } from "../../components/time.tsx";
import { useList } from "../../components/use_list.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";

const column = columnsOf<Admin["SettlementJob"]>();
const states = ["waiting", "dead"] as const;
const lookAgain = 15_000;

export function Component() {
  const { t } = useTranslation(["settlement", "words"]);
  const { admin } = useStore();
  const list = useList("/adminapi/hjf/jobs", { filters: { state: "text" }, refetchInterval: lookAgain });
  const retry = useAction((id: number, key) =>
    admin.POST("/adminapi/hjf/jobs/{id}/retry", { params: { path: { id } }, body: {}, ...key }),
  );
  const columns = [
    column.order("order_id", t("words:order")),
    column.tag("state", t("words:state"), ({ state }) => [
      t(`words:jobState.${state}`),
      state === "dead" ? "red" : "blue",
    ]),
    column.custom({
      id: "retry",
      title: t("retry"),
      width: 112,
      cell: ({ order_id }) => (
        <Allowed area="money" inRow>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<RotateCw size={14} aria-hidden />}
            aria-label={`${t("retry")}: ${t("words:order")} ${order_id}`}
            loading={retry.isPending && retry.variables === order_id}
            onClick={() => retry.mutate(order_id, { onSuccess: () => notify(t("retried", { id: order_id })) })}
          >
            {t("retry")}
          </Button>
        </Allowed>
      ),
    }),
    column.number("attempts", t("attempts")),
    column.text("last_error", t("error"), { width: 320, clipped: true, empty: "–" }),
    column.time("run_after", t("next"), {
      cell: ({ state, run_after }) => (state === "dead" ? "–" : <Time value={run_after} />),
      csv: ({ state, run_after }) => (state === "dead" ? "" : run_after),
    }),
    column.time("created_at", t("since")),
  ];

  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar of={list}>
        <ChoiceFilter
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
        list={list}
        empty={t("empty")}
      />
    </Page>
  );
}
