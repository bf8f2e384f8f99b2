import { Anchor, Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Tag } from "../../components/tag.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { addressLine } from "./address_line.ts";

type OrderPage = Admin["OrderPage"];
type Address = Admin["Address"];

/** The refund request that is not decided, if there is one. */
export const openRequest = ({ refunds }: OrderPage): Admin["Refund"] | undefined =>
  refunds.find(({ state }) => state === "requested");

function ReturnAddress({ address }: { address: Address }) {
  return (
    <Text size="sm">
      {address.name} {address.phone}
      <br />
      {addressLine(address)}
    </Text>
  );
}

/** Answers the refund request of a shipped order by asking for the goods. */
export function AskReturnButton({ order }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const path = { id: order.id };
  const ask = useAction((_: void, key) =>
    admin.PUT("/adminapi/order/{id}/refund/return", { params: { path }, body: {}, ...key }),
  );
  const confirmation = useConfirmedAction(ask, () => t("askReturn.done"));
  const { opened } = confirmation.dialog;
  const settings = useAdmin("/adminapi/system/settings", {}, { enabled: opened });
  const request = openRequest(order);
  const isShipped = order.state === "delivered" || order.state === "received";
  if (!isShipped || !request || request.goods_return) return null;
  return (
    <>
      <Allowed area="refunds">
        <Button variant="default" onClick={confirmation.ask}>
          {t("askReturn.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("askReturn.title", path)}
        action={t("askReturn.action")}
        disabled={!settings.data?.return_address}
        onConfirm={() => confirmation.confirm()}
      >
        {opened && (
          <QueryResult of={settings} lines={2}>
            {({ return_address }) =>
              return_address ? (
                <>
                  <Text>{t("askReturn.meaning")}</Text>
                  <ReturnAddress address={return_address} />
                </>
              ) : (
                <Text>
                  {t("askReturn.noAddress")}{" "}
                  <Anchor component={Link} to="/settings">
                    {t("askReturn.settings")}
                  </Anchor>
                </Text>
              )
            }
          </QueryResult>
        )}
      </ConfirmDialog>
    </>
  );
}

/** Records that the goods which were asked for have arrived. */
export function ReceiveReturnButton({ order }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const path = { id: order.id };
  const receive = useAction((_: void, key) =>
    admin.PUT("/adminapi/order/{id}/refund/return/receive", { params: { path }, body: {}, ...key }),
  );
  const confirmation = useConfirmedAction(receive, () => t("receiveReturn.done"));
  const goodsReturn = openRequest(order)?.goods_return;
  if (!goodsReturn || goodsReturn.state === "received") return null;
  return (
    <>
      <Allowed area="refunds">
        <Button variant="default" onClick={confirmation.ask}>
          {t("receiveReturn.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("receiveReturn.title", path)}
        action={t("receiveReturn.action")}
        onConfirm={() => confirmation.confirm()}
      >
        <Text>{t("receiveReturn.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}

/** How far the goods of a request have returned, to which address, and in which parcel. */
export function GoodsReturn({ of }: { of: NonNullable<Admin["Refund"]["goods_return"]> }) {
  const { t, i18n } = useTranslation("words");
  const carrier = (i18n.language === "zh" ? of.carrier_name_zh : of.carrier_name) ?? of.carrier;
  return (
    <Stack gap={4} align="flex-start">
      <Tag color={of.state === "received" ? "green" : "orange"}>{t(`returnState.${of.state}`)}</Tag>
      {of.tracking_no && (
        <Text size="sm">
          {carrier}{" "}
          {of.tracking_url ? (
            <Anchor href={of.tracking_url} target="_blank" rel="noreferrer" size="sm" className="figures">
              {of.tracking_no}
            </Anchor>
          ) : (
            <span className="figures">{of.tracking_no}</span>
          )}
        </Text>
      )}
      <ReturnAddress address={of.address} />
    </Stack>
  );
}
