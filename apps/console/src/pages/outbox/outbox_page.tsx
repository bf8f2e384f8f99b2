import { Button } from "@mantine/core";
import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { ChoiceFilter, FilterBar } from "../../components/filter_bar.tsx";
import { OrderLink, WithdrawalLink } from "../../components/links.tsx";
import { notify } from "../../components/notify.ts";
import { Page } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { useList } from "../../components/use_list.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";

const column = columnsOf<Admin["OutboxRow"]>();
const states = ["waiting", "failed"] as const;
const lookAgain = 15_000;

/** The calls to payment providers that are still to be made. */
export function Component() {
  const { t } = useTranslation(["outbox", "words"]);
  const { admin } = useStore();
  const list = useList("/adminapi/outbox", { filters: { state: "text" }, refetchInterval: lookAgain });
  const retry = useAction((id: number, key) =>
    admin.PUT("/adminapi/outbox/{id}/retry", { params: { path: { id } }, body: {}, ...key }),
  );
  const columns = [
    // A newer store may have kinds that this console does not know.
    column.words("kind", t("kind"), ({ kind }) => t(`kinds.${kind}` as "kinds.close_payment", { defaultValue: kind })),
    column.custom({
      id: "order",
      title: t("cause"),
      width: 96,
      opens: true,
      cell: ({ order_id, withdrawal_id }) =>
        withdrawal_id ? <WithdrawalLink id={withdrawal_id} /> : <OrderLink id={order_id} />,
      csv: ({ order_id, withdrawal_id }) => order_id ?? withdrawal_id,
    }),
    column.text("key", t("number"), { width: 208 }),
    column.tag("state", t("words:state"), ({ state }) => [t(`states.${state}`), state === "failed" ? "red" : "blue"]),
    column.text("last_problem", t("problem"), { width: 240, clipped: true, empty: "–" }),
    column.custom({
      id: "retry",
      title: t("retry"),
      width: 112,
      cell: ({ id, key }) => (
        <Allowed area="money" inRow>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<RotateCw size={14} aria-hidden />}
            aria-label={`${t("retry")}: ${key}`}
            loading={retry.isPending && retry.variables === id}
            onClick={() => retry.mutate(id, { onSuccess: () => notify(t("retried")) })}
          >
            {t("retry")}
          </Button>
        </Allowed>
      ),
    }),
    column.number("attempts", t("attempts")),
    column.time("run_after", t("next"), {
      cell: ({ state, run_after }) => (state === "failed" ? "–" : <Time value={run_after} />),
      csv: ({ state, run_after }) => (state === "failed" ? "" : run_after),
    }),
    column.time("created_at", t("since")),
  ];

  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar of={list} views="outbox">
        <ChoiceFilter
          name="state"
          label={t("words:state")}
          choices={states.map((value) => ({ value, label: t(`states.${value}`) }))}
        />
      </FilterBar>
      <FailureAlert error={retry.error} />
      <DataTable
        name="outbox"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("empty")}
      />
    </Page>
  );
}
