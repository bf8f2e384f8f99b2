import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { DescriptionList } from "../../components/description_list.tsx";
import { formatMoney, formatPoints, Money, Points } from "../../components/figures.tsx";
import { MemberLink, OrderLink, WithdrawalLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { SideDrawer } from "../../components/side_drawer.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { BillRowLink } from "./bill_row_link.tsx";

/** A row of the bill with all that it says, and with links to what it reverses and what reverses it. */
export function BillRowDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation(["bill", "words", "members"]);
  const row = useAdmin("/adminapi/bill/{id}", { params: { path: { id } } });
  return (
    <SideDrawer title={t("titleOf", { id })} onClose={onClose}>
      <QueryResult of={row} lines={8}>
        {(shown) => (
          <DescriptionList
            items={[
              [t("words:time"), <Time key="time" value={shown.add_time} />],
              [t("words:member"), <MemberLink key="member" uid={shown.uid} nickname={shown.nickname} />],
              [t("members:bill.type"), t(`words:billType.${shown.type}`)],
              [t("source"), t(`words:source.${shown.source}`)],
              ...given(shown.order_id !== null, t("words:order"), <OrderLink id={shown.order_id} />),
              ...given(shown.adjustment_id !== null, t("adjustment"), shown.adjustment_id),
              ...given(shown.withdrawal_id !== null, t("withdrawal"), <WithdrawalLink id={shown.withdrawal_id ?? 0} />),
              ...given(
                Number(shown.brokerage) !== 0,
                t("balances.brokerage"),
                <Change after={formatMoney(shown.brokerage_after)}>
                  <Money value={shown.brokerage} signed />
                </Change>,
              ),
              ...given(
                shown.frozen_points !== 0,
                t("balances.frozen_points"),
                <Change after={formatPoints(shown.frozen_points_after)}>
                  <Points value={shown.frozen_points} signed />
                </Change>,
              ),
              ...given(
                shown.available_points !== 0,
                t("balances.available_points"),
                <Change after={formatPoints(shown.available_points_after)}>
                  <Points value={shown.available_points} signed />
                </Change>,
              ),
              ...given(
                shown.basis !== null && shown.rate !== null,
                t("computed"),
                t("members:bill.how", { basis: formatPoints(shown.basis ?? 0), rate: formatPoints(shown.rate ?? 0) }),
              ),
              ...given(shown.reverses_id !== null, t("reverses"), <BillRowLink id={shown.reverses_id ?? 0} />),
              ...given(
                shown.reversed_by.length > 0,
                t("reversedBy"),
                <Stack gap={0}>
                  {shown.reversed_by.map((by) => (
                    <BillRowLink key={by} id={by} />
                  ))}
                </Stack>,
              ),
            ]}
          />
        )}
      </QueryResult>
    </SideDrawer>
  );
}

/** A change of a balance, with the new balance below it. */
function Change({ after, children }: { after: string; children: ReactNode }) {
  const { t } = useTranslation("bill");
  return (
    <Stack gap={0}>
      {children}
      <Text size="xs" c="dimmed" className="figures">
        {t("balanceAfter", { amount: after })}
      </Text>
    </Stack>
  );
}

/** A line that only some rows have. */
function given(isGiven: boolean, name: string, value: ReactNode): [string, ReactNode][] {
  return isGiven ? [[name, value]] : [];
}
