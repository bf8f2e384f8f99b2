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
import { OrderLink, WithdrawalLink } from "../../components/links.tsx";
import { notify } from "../../components/notify.ts";
import { Page } from "../../components/page.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin, useStore } from "../../store/store.tsx";
import { useAction } from "../../../../web/use_action.ts";

type Row = Admin["OutboxRow"];

const states = ["waiting", "failed"] as const;
const lookAgain = 15_000;

/** The calls to payment providers that are still to be made. */
export function Component() {
  const { t } = useTranslation(["outbox", "words"]);
  const { admin } = useStore();
  const state = useListState();
  const shown = state.get("state") as Row["state"] | "";
  const source = {
    path: "/adminapi/outbox",
    params: { query: { page: state.page, limit: defaultPageSize, ...(shown && { state: shown }) } },
  } as const;
  const result = useAdmin().useQuery(
    "get",
    source.path,
    { params: source.params },
    { placeholderData: keepPreviousData, refetchInterval: lookAgain },
  );
  const retry = useAction((id: number, key) => admin.PUT("/adminapi/outbox/{id}/retry", { params: { path: { id } }, body: {}, ...key }));
  const { mutate, isPending, variables } = retry;
  const columns = useMemo<Column<Row>[]>(() => {
    // A newer store may have kinds that this console does not know.
    const kindOf = (kind: string) => t(`kinds.${kind}` as "kinds.close_payment", { defaultValue: kind });
    return [
      { id: "kind", title: t("kind"), cell: ({ kind }) => kindOf(kind), csv: ({ kind }) => kindOf(kind) },
      {
        id: "order",
        title: t("cause"),
        cell: ({ order_id, withdrawal_id }) => (withdrawal_id ? <WithdrawalLink id={withdrawal_id} /> : <OrderLink id={order_id} />),
        csv: ({ order_id, withdrawal_id }) => order_id ?? withdrawal_id,
      },
      { id: "key", title: t("number"), cell: ({ key }) => key, csv: ({ key }) => key },
      {
        id: "state",
        title: t("words:state"),
        cell: (row) => <Tag color={row.state === "failed" ? "red" : "blue"}>{t(`states.${row.state}`)}</Tag>,
        csv: (row) => t(`states.${row.state}`),
      },
      { id: "attempts", title: t("attempts"), align: "right", cell: ({ attempts }) => attempts, csv: ({ attempts }) => attempts },
      {
        id: "problem",
        title: t("problem"),
        cell: ({ last_problem }) => (
          <Text size="sm" maw={420} style={{ whiteSpace: "normal", overflowWrap: "anywhere" }}>
            {last_problem ?? "–"}
          </Text>
        ),
        csv: ({ last_problem }) => last_problem,
      },
      {
        id: "next",
        title: t("next"),
        cell: (row) => (row.state === "failed" ? "–" : <Time value={row.run_after} />),
        csv: (row) => (row.state === "failed" ? "" : row.run_after),
      },
      { id: "since", title: t("since"), cell: ({ created_at }) => <Time value={created_at} />, csv: ({ created_at }) => created_at },
      {
        id: "retry",
        title: t("retry"),
        cell: ({ id, key }) => (
          <Allowed area="money" inRow>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<RotateCw size={14} aria-hidden />}
              aria-label={`${t("retry")}: ${key}`}
              loading={isPending && variables === id}
              onClick={() => mutate(id, { onSuccess: () => notify(t("retried")) })}
            >
              {t("retry")}
            </Button>
          </Allowed>
        ),
      },
    ];
  }, [t, mutate, isPending, variables]);

  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar state={state} names={["state"]}>
        <ChoiceFilter
          state={state}
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
        result={result}
        state={state}
        source={source}
        empty={t(shown ? "emptyFiltered" : "empty")}
      />
    </Page>
  );
}
