import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { formatCurrency, Money } from "../../components/figures.tsx";
import { OrderLink } from "../../components/links.tsx";

/** What open refund requests hold of a withdrawal, and for which orders. */
export function HeldOrders({
  withdrawal: { held_orders },
  held,
}: {
  withdrawal: Admin["WithdrawalPage"];
  held: string;
}) {
  const { t } = useTranslation("withdrawals");
  return (
    <>
      <Text size="sm">{t("held.about", { amount: formatCurrency(held) })}</Text>
      <List size="sm">
        {held_orders.map(({ order_id, order_no, amount }) => (
          <List.Item key={order_id}>
            <OrderLink id={order_id} label={order_no} /> <Money value={amount} />
          </List.Item>
        ))}
      </List>
    </>
  );
}
