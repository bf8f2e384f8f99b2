import { Group, Select, SimpleGrid, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { DownloadButton } from "../../components/download_button.tsx";
import { Money, Points } from "../../components/figures.tsx";
import { useListState } from "../../components/list_state.ts";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { useList } from "../../components/use_list.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { useBillColumns } from "./bill_columns.tsx";
import { BillSums } from "./bill_sums.tsx";
import { TaxSums } from "./tax_sums.tsx";

type Statement = Admin["Statement"];

const aMonth = /^2\d{3}-(0[1-9]|1[0-2])$/;

function Balances({
  title,
  of: { brokerage_price, frozen_points, available_points },
}: {
  title: string;
  of: Statement["opening"];
}) {
  const { t } = useTranslation("words");
  return (
    <Section title={title}>
      <DescriptionList
        items={[
          [t("brokerage"), <Money key="commission" value={brokerage_price} />],
          [t("frozenPoints"), <Points key="frozen" value={frozen_points} />],
          [t("availablePoints"), <Points key="available" value={available_points} />],
        ]}
      />
    </Section>
  );
}

function Rows({ uid, statement: { from, to } }: { uid: number; statement: Statement }) {
  const { t } = useTranslation("members");
  const columns = useBillColumns();
  const list = useList("/adminapi/user/{uid}/bill", { params: { path: { uid }, query: { from, to } } });
  return (
    <DataTable
      name="bill"
      label={t("statement.rows")}
      columns={columns}
      rowId={({ id }) => id}
      list={list}
      empty={t("statement.empty")}
    />
  );
}

/** The statement of a member for a month: balances at both ends, the sums between them, and the rows. */
export function MemberStatement({ uid }: { uid: number }) {
  const { t } = useTranslation("members");
  const { admin } = useStore();
  const state = useListState();
  const chosen = aMonth.test(state.get("month")) ? state.get("month") : undefined;
  const statement = useAdmin("/adminapi/user/{uid}/statement", {
    params: { path: { uid }, query: { ...(chosen && { month: chosen }) } },
  });
  return (
    <QueryResult of={statement} lines={8}>
      {(shown) => (
        <Stack>
          <Group align="flex-end">
            <Select
              label={t("statement.month")}
              data={[...new Set([shown.month, ...shown.months])].sort().reverse()}
              value={shown.month}
              onChange={(month) => state.set({ month: month ?? "" })}
              allowDeselect={false}
              w={160}
            />
            <DownloadButton
              key={shown.month}
              label={t("statement.download")}
              name={`statement_${uid}_${shown.month}.csv`}
              request={(signal) =>
                admin.GET("/adminapi/user/{uid}/statement/csv", {
                  params: { path: { uid }, query: { month: shown.month } },
                  parseAs: "stream",
                  signal,
                })
              }
            />
            {shown.seal && (
              <Allowed area="money" inRow>
                <DownloadButton
                  key={`proof of ${shown.month}`}
                  label={t("statement.proof")}
                  name={`proof_${uid}_${shown.month}.json`}
                  request={(signal) =>
                    admin.GET("/adminapi/user/{uid}/statement/proof", {
                      params: { path: { uid }, query: { month: shown.month } },
                      parseAs: "stream",
                      signal,
                    })
                  }
                />
              </Allowed>
            )}
          </Group>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Balances title={t("statement.opening")} of={shown.opening} />
            <Balances title={t("statement.closing")} of={shown.closing} />
          </SimpleGrid>
          <Section title={t("statement.sums")}>
            <BillSums
              name="sums of a statement"
              label={t("statement.sums")}
              sums={shown.sums}
              empty={t("statement.empty")}
            />
          </Section>
          {shown.tax.payouts > 0 && (
            <Section title={t("statement.tax")}>
              <TaxSums sums={shown.tax} />
            </Section>
          )}
          <Rows uid={uid} statement={shown} />
        </Stack>
      )}
    </QueryResult>
  );
}
