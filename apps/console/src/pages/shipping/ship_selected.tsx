import { Autocomplete, Button, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";
import { useCarrierChoices } from "./carriers.ts";

type Order = Admin["AdminOrder"];
type Line = Admin["Delivery"]["lines"][number];
type Problem = NonNullable<Line["problem"]>;

/** Orders that were not shipped, each with the reason that the store gave. */
export type NotShipped = ReadonlyMap<number, Problem>;

/** How many of the selected orders are left out, for each reason. */
export function useLeftOut(orders: Order[], notShipped: NotShipped): string[] {
  const { t } = useTranslation("shipping");
  return [...new Set(notShipped.values())].flatMap((problem) => {
    const count = orders.filter(({ id }) => notShipped.get(id) === problem).length;
    return count === 0 ? [] : t(`shipSelected.leftOut.${problem}`, { count });
  });
}

/**
 * Marks the selected orders as shipped, for goods that have no tracking number.
 * @param onDone is told what could not be shipped
 */
export function ShipSelected({ orders, onDone }: { orders: Order[]; onDone: (notShipped: NotShipped) => void }) {
  const { t } = useTranslation("shipping");
  const { admin } = useStore();
  const [carrier, setCarrier] = useState("");
  const carriers = useCarrierChoices();
  const ship = useAction((body: { ids: number[]; carrier?: string }, key) =>
    admin.PUT("/adminapi/shipping/deliver", { body, ...key }),
  );
  const confirmation = useConfirmedAction(ship, ({ lines }) => {
    const rejected = lines.flatMap(({ id, problem }): [number, Problem][] => (problem ? [[id, problem]] : []));
    onDone(new Map(rejected));
    return t("shipSelected.done", { shipped: lines.length - rejected.length, rejected: rejected.length });
  });
  const count = orders.length;
  return (
    <>
      <Allowed area="orders">
        <Button variant="default" onClick={confirmation.ask} disabled={count === 0}>
          {t("shipSelected.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("shipSelected.title", { count })}
        action={t("import.ship", { count })}
        onConfirm={() =>
          confirmation.confirm({ ids: orders.map(({ id }) => id), ...(carrier.trim() && { carrier: carrier.trim() }) })
        }
      >
        <Text>{t("shipSelected.meaning")}</Text>
        <Autocomplete
          label={t("carrier")}
          data={carriers.map(({ label }) => label)}
          value={carrier}
          onChange={setCarrier}
          maxLength={64}
        />
      </ConfirmDialog>
    </>
  );
}
