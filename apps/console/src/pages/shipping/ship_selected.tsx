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

/** Marks the selected orders as shipped, for goods that have no tracking number. */
export function ShipSelected({ orders, onDone }: { orders: Admin["AdminOrder"][]; onDone: () => void }) {
  const { t } = useTranslation("shipping");
  const { admin } = useStore();
  const [carrier, setCarrier] = useState("");
  const carriers = useCarrierChoices();
  const ship = useAction((body: { ids: number[]; carrier?: string }, key) =>
    admin.PUT("/adminapi/shipping/deliver", { body, ...key }),
  );
  const confirmation = useConfirmedAction(ship, ({ lines }) => {
    onDone();
    const rejected = lines.filter(({ result }) => result === "rejected").length;
    return t("shipSelected.done", { shipped: lines.length - rejected, rejected });
  });
  const count = orders.length;
  return (
    <>
      <Allowed area="orders">
        <Button variant="default" onClick={confirmation.ask}>
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
