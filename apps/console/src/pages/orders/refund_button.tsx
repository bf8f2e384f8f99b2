import { Alert, Button, Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Banknote } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Admin, unwrap } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { formatMoney } from "../../components/figures.tsx";
import { MemberLink } from "../../components/links.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { ForeseenMembers } from "./foreseen_members.tsx";
import { openRequest } from "./order_return.tsx";
import { type RefundBody, RefundFields, useRefundFields } from "./refund_fields.tsx";
import { RefundReason } from "./refund_reason.tsx";

type OrderPage = Admin["OrderPage"];
type Preview = Admin["RefundPreview"];

const column = columnsOf<Preview["reversals"][number]>();
const typingPause = 250;

/**
 * What a refund would pay back and reverse. The store computes it without booking anything.
 * @param body undefined: nothing is asked
 */
function usePreview(id: number, body: RefundBody | undefined) {
  const { admin } = useStore();
  return useQuery({
    queryKey: ["refund preview", id, body],
    queryFn: () => unwrap(admin.POST("/adminapi/order/{id}/refund/preview", { params: { path: { id } }, body })),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
  });
}

function Reversals({ preview }: { preview: Preview }) {
  const { reversals, reopened_place, is_imported } = preview;
  const { t } = useTranslation(["orders", "words"]);
  const columns = [
    column.custom({
      id: "member",
      title: t("words:member"),
      cell: ({ uid, source }) => (
        <>
          <MemberLink uid={uid} />{" "}
          <Text span size="xs" c="dimmed">
            {source !== "release" && t(`words:source.${source as "cycle"}`)}
          </Text>
        </>
      ),
    }),
    column.money("brokerage", t("words:commission")),
    column.points("frozen_points", t("words:frozenPoints")),
    column.points("available_points", t("words:availablePoints")),
  ];
  return (
    <Stack gap="sm">
      {reversals.length === 0 ? (
        <Text size="sm">{t(is_imported ? "refundDialog.imported" : "refundDialog.nothing")}</Text>
      ) : (
        <PlainTable
          label={t("refundDialog.reverses")}
          columns={columns}
          rows={reversals}
          rowId={({ uid, type, source, reverses_id }) => `${uid} ${type} ${source} ${reverses_id}`}
          maxHeight={260}
        />
      )}
      {reopened_place && (
        <Text size="sm">
          {t("refundDialog.place", { place: reopened_place.place, cycle: reopened_place.cycle_no })}{" "}
          <MemberLink uid={reopened_place.uid} />
        </Text>
      )}
      <ForeseenMembers of={preview} />
    </Stack>
  );
}

/** What the buyer gets back, in all and of it the freight. */
function BuyerGets({ preview: { amount, freight, points } }: { preview: Preview }) {
  const { t } = useTranslation("orders");
  return (
    <Text fw={600}>
      {t("refundDialog.gets", { amount: formatMoney(amount), freight: formatMoney(freight) })}
      {points > 0 && ` ${t("refundDialog.getsPoints", { points })}`}
    </Text>
  );
}

/**
 * The text that says what becomes of the open request. A refund without goods of the request does not answer it; one of
 * all that is left closes it.
 */
function requestText(state: NonNullable<Preview["request_state"]>, isAnswer: boolean) {
  if (state === "requested") return isAnswer ? "noAnswer" : "staysOpen";
  return isAnswer ? (`answer.${state}` as const) : "nothingLeft";
}

/**
 * Refunds units, amounts or freight of an order, at first the units that the buyer asks for, after a preview of what
 * that pays back and reverses.
 */
export function RefundButton({ order, isNext }: { order: OrderPage; isNext: boolean }) {
  const { id } = order;
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const fields = useRefundFields(order);
  const [reference, setReference] = useState("");
  const [isAnswer, setIsAnswer] = useState(true);
  const request = openRequest(order);
  const chosen = fields.isComplete ? { ...fields.body, ...(request && { answers_request: isAnswer }) } : undefined;
  const [asked] = useDebouncedValue(chosen, typingPause);
  const refund = useAction((body: RefundBody & { refund_ref?: string }, key) =>
    admin.PUT("/adminapi/order/{id}/refund", { params: { path: { id } }, body, ...key }),
  );
  const confirmation = useConfirmedAction(refund, () => t("refundDialog.done"));
  // During and after the refund, no preview is needed: less is left to refund.
  const preview = usePreview(id, confirmation.dialog.opened && !refund.isPending ? asked : undefined);
  // Only a refund whose preview is shown can be confirmed.
  const isShown =
    preview.data !== undefined &&
    !preview.isFetching &&
    !preview.isError &&
    JSON.stringify(asked) === JSON.stringify(chosen);

  const open = () => {
    const wanted = request?.lines.map(({ line_id, quantity }): [number, number] => [line_id, quantity]);
    const all = fields.refundable.map((line): [number, number] => [line.id, line.quantity - line.refunded_quantity]);
    fields.reset(Object.fromEntries(wanted ?? all));
    setReference("");
    setIsAnswer(true);
    confirmation.ask();
  };

  return (
    <>
      <Allowed area="refunds">
        <Button variant={isNext ? "filled" : "default"} onClick={open}>
          {t("refundDialog.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("refundDialog.title", { id })}
        action={t("refundDialog.action", { amount: isShown ? formatMoney(preview.data.amount) : "" })}
        isDangerous
        disabled={!isShown || !chosen}
        size="lg"
        onConfirm={() =>
          chosen && confirmation.confirm({ ...chosen, ...(reference.trim() && { refund_ref: reference.trim() }) })
        }
      >
        {request && (
          <>
            <Text size="sm">{t("refundDialog.asks")}</Text>
            <RefundReason refund={request} />
            <Checkbox
              label={t("refundDialog.answers")}
              description={t("refundDialog.answersHint")}
              checked={isAnswer}
              onChange={(event) => setIsAnswer(event.currentTarget.checked)}
            />
          </>
        )}
        <RefundFields of={fields} preview={preview.data} />
        <Alert color="orange" icon={<Banknote size={18} aria-hidden />}>
          {t("refundDialog.money")}
        </Alert>
        <TextInput
          label={t("refundDialog.reference")}
          description={t("refundDialog.referenceHint")}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
          maxLength={128}
        />
        {chosen ? (
          <div role="status" aria-busy={!isShown}>
            <FailureAlert error={preview.error} onRetry={() => void preview.refetch()} />
            {preview.data && !preview.isError && (
              <>
                <BuyerGets preview={preview.data} />
                {preview.data.request_state && (
                  <Text size="sm">{t(`refundDialog.${requestText(preview.data.request_state, isAnswer)}`)}</Text>
                )}
                <Text fw={600} mt="xs" mb={4}>
                  {t("refundDialog.reverses")}
                </Text>
                <Reversals preview={preview.data} />
              </>
            )}
          </div>
        ) : (
          <Text c="dimmed" size="sm">
            {t("refundDialog.choose")}
          </Text>
        )}
      </ConfirmDialog>
    </>
  );
}
