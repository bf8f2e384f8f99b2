import { Anchor, Button, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";
import { useCarrierChoices } from "../shipping/carriers.ts";

type OrderPage = Admin["OrderPage"];
type Parcel = Admin["AdminParcel"];

const column = columnsOf<Parcel>();

/** The carrier and the number of a parcel. */
function ParcelFields({
  carrier,
  number,
  onCarrier,
  onNumber,
}: {
  carrier: string | null;
  number: string;
  onCarrier: (code: string | null) => void;
  onNumber: (number: string) => void;
}) {
  const { t } = useTranslation("orders");
  return (
    <>
      <Select
        label={t("carrier")}
        data={useCarrierChoices()}
        value={carrier}
        onChange={onCarrier}
        searchable
        required
      />
      <TextInput
        label={t("trackingNo")}
        value={number}
        onChange={(event) => onNumber(event.currentTarget.value)}
        maxLength={64}
        required
      />
    </>
  );
}

function AddParcel({ order: { id } }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const [carrier, setCarrier] = useState<string | null>(null);
  const [number, setNumber] = useState("");
  const add = useAction((body: { carrier: string; tracking_no: string }, key) =>
    admin.POST("/adminapi/order/{id}/parcel", { params: { path: { id } }, body, ...key }),
  );
  const confirmation = useConfirmedAction(add, () => {
    setNumber("");
    return t("parcels.added");
  });
  return (
    <>
      <Allowed area="orders" inRow>
        <Button variant="default" onClick={confirmation.ask}>
          {t("parcels.add")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("parcels.addTitle", { id })}
        action={t("parcels.add")}
        disabled={carrier === null || number.trim() === ""}
        onConfirm={() => confirmation.confirm({ carrier: carrier!, tracking_no: number.trim() })}
      >
        <ParcelFields carrier={carrier} number={number} onCarrier={setCarrier} onNumber={setNumber} />
      </ConfirmDialog>
    </>
  );
}

function CorrectParcel({ parcel: { id, carrier_code, tracking_no } }: { parcel: Parcel }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const [carrier, setCarrier] = useState(carrier_code);
  const [number, setNumber] = useState(tracking_no ?? "");
  const correct = useAction((body: { carrier?: string; tracking_no?: string }, key) =>
    admin.PUT("/adminapi/parcel/{id}", { params: { path: { id } }, body, ...key }),
  );
  const confirmation = useConfirmedAction(correct, () => t("parcels.corrected"));
  const body = {
    ...(carrier !== null && carrier !== carrier_code && { carrier }),
    ...(number.trim() !== "" && number.trim() !== tracking_no && { tracking_no: number.trim() }),
  };
  return (
    <>
      <Allowed area="orders" inRow>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t("parcels.correctOf", { number: tracking_no ?? id })}
          onClick={confirmation.ask}
        >
          {t("parcels.correct")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("parcels.correctTitle")}
        action={t("parcels.correct")}
        disabled={Object.keys(body).length === 0}
        onConfirm={() => confirmation.confirm(body)}
      >
        {t("parcels.correctMeaning")}
        <ParcelFields carrier={carrier} number={number} onCarrier={setCarrier} onNumber={setNumber} />
      </ConfirmDialog>
    </>
  );
}

/** The parcels of a shipped order, each with a link to the page of its carrier. */
export function OrderParcels({ order }: { order: OrderPage }) {
  const { t, i18n } = useTranslation("orders");
  if (order.delivered_at === null) return null;
  const isOpen = order.state === "delivered";
  const columns = [
    column.text("tracking_no", t("trackingNo"), {
      cell: ({ tracking_no, tracking_url }) =>
        tracking_url ? (
          <Anchor href={tracking_url} target="_blank" rel="noreferrer" size="sm" className="figures">
            {tracking_no}
          </Anchor>
        ) : (
          (tracking_no ?? "–")
        ),
    }),
    column.words(
      "carrier",
      t("carrier"),
      ({ carrier, carrier_name, carrier_name_zh }) =>
        (i18n.language === "zh" ? carrier_name_zh : carrier_name) ?? carrier ?? "–",
    ),
    column.time("shipped_at", t("about.deliveredAt")),
    column.actor("shipped_by", t("parcels.by")),
    ...(isOpen
      ? [
          column.custom({
            id: "correct",
            title: t("parcels.correct"),
            cell: (parcel) => <CorrectParcel key={`${parcel.carrier_code} ${parcel.tracking_no}`} parcel={parcel} />,
          }),
        ]
      : []),
  ];
  return (
    <Section title={t("parcels.title")} actions={isOpen && order.refund_status !== 2 && <AddParcel order={order} />}>
      <PlainTable
        label={t("parcels.title")}
        columns={columns}
        rows={order.parcels}
        rowId={({ id }) => id}
        empty={t("parcels.empty")}
      />
    </Section>
  );
}
