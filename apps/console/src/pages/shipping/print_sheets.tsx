import { useEffect } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { formatCount } from "../../components/figures.tsx";

type Order = Admin["AdminOrder"];

/** What is printed. */
export type Printed = "picks" | "labels";

/** The units of an order that are left after refunds. */
export const unitsLeft = (order: Order) =>
  order.lines
    .map((line) => ({ ...line, units: line.quantity - line.refunded_quantity }))
    .filter(({ units }) => units > 0);

/** The goods of all orders, each product once, the largest number first. */
function PickList({ orders }: { orders: Order[] }) {
  const { t } = useTranslation("shipping");
  const goods = new Map<number, { title: string; units: number; orders: number }>();
  for (const { product_id, title, units } of orders.flatMap(unitsLeft)) {
    const known = goods.get(product_id) ?? { title, units: 0, orders: 0 };
    goods.set(product_id, { ...known, units: known.units + units, orders: known.orders + 1 });
  }
  const rows = [...goods].toSorted(([, one], [, other]) => other.units - one.units);
  return (
    <>
      <h1>{t("print.list")}</h1>
      <p>{t("print.orders", { count: orders.length })}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("print.product")}</th>
            <th scope="col">{t("print.title")}</th>
            <th scope="col">{t("print.inOrders")}</th>
            <th scope="col">{t("print.units")}</th>
            <th scope="col">{t("print.picked")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([id, row]) => (
            <tr key={id}>
              <td>{id}</td>
              <td>{row.title}</td>
              <td>{formatCount(row.orders)}</td>
              <td>{formatCount(row.units)}</td>
              <td>☐</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The address label of an order, on a page of its own. */
function Label({ order }: { order: Order }) {
  const { t } = useTranslation("shipping");
  const { address } = order;
  return (
    <section className="print-label">
      {address ? (
        <>
          <p className="print-recipient">
            {address.name} {address.phone}
          </p>
          <p className="print-address">{[...address.region, address.street].join(" ")}</p>
        </>
      ) : (
        <p className="print-address">{t("noAddress")}</p>
      )}
      <ul>
        {unitsLeft(order).map(({ id, title, units }) => (
          <li key={id}>
            {title} × {formatCount(units)}
          </li>
        ))}
      </ul>
      {order.remark && <p>{t("print.remark", { remark: order.remark })}</p>}
      <p>
        {t("print.orderNo")} {order.order_no}
      </p>
    </section>
  );
}

/** Prints the orders without the console around them (styles.css). It shows nothing on the screen. */
export function PrintSheets({ kind, orders, onEnd }: { kind: Printed; orders: Order[]; onEnd: () => void }) {
  useEffect(() => {
    window.addEventListener("afterprint", onEnd);
    window.print();
    return () => window.removeEventListener("afterprint", onEnd);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it is mounted
  }, []);
  return createPortal(
    <div className="print-sheet">
      {kind === "picks" ? <PickList orders={orders} /> : orders.map((order) => <Label key={order.id} order={order} />)}
    </div>,
    document.body,
  );
}
