import { SimpleGrid } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { LongNumber } from "../../components/long_number.tsx";
import { TextLink } from "../../components/links.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { useAdmin } from "../../store/store.ts";
import { WithdrawalState } from "./withdrawal_state.tsx";

const shown = 8;

const earning = columnsOf<Admin["BillRow"]>();
const payout = columnsOf<Admin["AdminWithdrawal"]>();

/** The latest orders that paid the member commission by the time of the request. */
function Earnings({ withdrawal: { uid, add_time } }: { withdrawal: Admin["WithdrawalPage"] }) {
  const { t } = useTranslation(["withdrawals", "words"]);
  const result = useAdmin("/adminapi/user/{uid}/bill", {
    params: { path: { uid }, query: { type: "brokerage", to: add_time, limit: shown } },
  });
  const columns = [
    earning.order("order_id", t("words:order")),
    earning.money("brokerage", t("words:commission")),
    earning.time("add_time", t("words:time")),
  ];
  return (
    <Section
      title={t("origin.title")}
      actions={<TextLink to={`/users/${uid}?tab=bill&type=brokerage`}>{t("origin.all")}</TextLink>}
    >
      <QueryResult of={result}>
        {({ list }) => (
          <PlainTable
            label={t("origin.title")}
            columns={columns}
            rows={list}
            rowId={({ id }) => id}
            empty={t("origin.empty")}
          />
        )}
      </QueryResult>
    </Section>
  );
}

/** The latest other withdrawals of the member. */
function Others({ withdrawal: { id, uid } }: { withdrawal: Admin["WithdrawalPage"] }) {
  const { t } = useTranslation(["withdrawals", "words"]);
  const result = useAdmin("/adminapi/withdrawal", { params: { query: { uid, limit: shown + 1 } } });
  const columns = [
    payout.text("withdrawal_no", t("number"), {
      cell: (one) => <LongNumber number={one.withdrawal_no} to={`/withdrawals/${one.id}`} />,
    }),
    payout.custom({ id: "state", title: t("words:state"), cell: ({ state }) => <WithdrawalState state={state} /> }),
    payout.money("amount", t("amount")),
    payout.time("add_time", t("requested")),
  ];
  return (
    <Section title={t("origin.others")} actions={<TextLink to={`/withdrawals?uid=${uid}`}>{t("origin.all")}</TextLink>}>
      <QueryResult of={result}>
        {({ list }) => (
          <PlainTable
            label={t("origin.others")}
            columns={columns}
            rows={list.filter((one) => one.id !== id).slice(0, shown)}
            rowId={(one) => one.id}
            empty={t("origin.first")}
          />
        )}
      </QueryResult>
    </Section>
  );
}

/** What a decision about a withdrawal needs of the member: where the money comes from, and what was paid before. */
export function WithdrawalOrigin({ withdrawal }: { withdrawal: Admin["WithdrawalPage"] }) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Earnings withdrawal={withdrawal} />
      <Others withdrawal={withdrawal} />
    </SimpleGrid>
  );
}
