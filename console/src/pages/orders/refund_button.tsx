import { Alert, Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from "@mantine/core";
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
import { Pictured } from "../../components/thumbnail.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { taskTypes } from "../../store/enumerations.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../web/use_action.ts";
import { openRequest } from "./order_return.tsx";
import { RefundReason } from "./refund_reason.tsx";

type OrderPage = Admin["OrderPage"];
type RefundLine = Admin["RefundLine"];
type Preview = Admin["RefundPreview"];

const column = columnsOf<Preview["reversals"][number]>();
const typingPause = 250;

/** What a refund of these lines would reverse. The store computes it without booking anything. */
function usePreview(id: number, lines: RefundLine[], answers: { answers_request?: boolean }) {
  const { admin } = useStore();
  return useQuery({
    queryKey: ["refund preview", id, lines, answers],
    queryFn: () => unwrap(admin.POST("/adminapi/order/{id}/refund/preview", { params: { path: { id } }, body: { lines, ...answers } })),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
  });
}

function Reversals({ preview: { reversals, reopened_place, counts, is_imported } }: { preview: Preview }) {
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
          {t("refundDialog.place", { place: reopened_place.place, cycle: reopened_place.cycle_no })} <MemberLink uid={reopened_place.uid} />
        </Text>
      )}
      {counts.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            {t("refundDialog.counts")}
          </Text>
          {counts.map(({ uid, before, after }) => (
            <Text key={uid} size="sm" component="div">
              <MemberLink uid={uid} />:{" "}
              {taskTypes
                .filter((type) => before[type] !== after[type])
                .map((type) => `${t(`words:task.${type}`)} ${before[type]} → ${after[type]}`)
                .join("; ")}
            </Text>
          ))}
        </div>
      )}
    </Stack>
  );
}

/** Refunds units of an order, at first those that the buyer asks for, after a preview of what that reverses. */
export function RefundButton({ order }: { order: OrderPage }) {
  const { id, lines } = order;
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  const [units, setUnits] = useState<Record<number, number>>({});
  const [reference, setReference] = useState("");
  const [isAnswer, setIsAnswer] = useState(true);
  const request = openRequest(order);
  const answers = request && !isAnswer ? { answers_request: false } : {};
  const refundable = lines.filter(({ quantity, refunded_quantity }) => quantity > refunded_quantity);
  const chosen = refundable.map((line) => ({ line_id: line.id, quantity: units[line.id] ?? 0 })).filter(({ quantity }) => quantity > 0);
  const [asked] = useDebouncedValue(chosen, typingPause);
  const refund = useAction((body: { lines: RefundLine[]; refund_ref?: string; answers_request?: boolean }, key) =>
    admin.PUT("/adminapi/order/{id}/refund", { params: { path: { id } }, body, ...key }),
  );
  const confirmation = useConfirmedAction(refund, () => t("refundDialog.done"));
  // During and after the refund, no preview is needed: less is left to refund.
  const preview = usePreview(id, confirmation.dialog.opened && !refund.isPending ? asked : [], answers);
  // Only a refund whose preview is shown can be confirmed.
  const isShown = preview.data !== undefined && !preview.isFetching && JSON.stringify(asked) === JSON.stringify(chosen);

  const open = () => {
    const wanted = request?.lines.map(({ line_id, quantity }): [number, number] => [line_id, quantity]);
    setUnits(Object.fromEntries(wanted ?? refundable.map((line): [number, number] => [line.id, line.quantity - line.refunded_quantity])));
    setReference("");
    setIsAnswer(true);
    confirmation.ask();
  };

  return (
    <>
      <Allowed area="refunds">
        <Button variant="default" onClick={open}>
          {t("refundDialog.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("refundDialog.title", { id })}
        action={t("refundDialog.action", { amount: isShown ? formatMoney(preview.data.amount) : "" })}
        isDangerous
        disabled={!isShown || chosen.length === 0}
        size="lg"
        onConfirm={() => confirmation.confirm({ lines: chosen, ...answers, ...(reference.trim() && { refund_ref: reference.trim() }) })}
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
        <Stack gap="xs">
          {refundable.map((line) => (
            <Group key={line.id} justify="space-between" wrap="nowrap">
              <Pictured address={line.image}>
                <Text size="sm">
                  {line.title}{" "}
                  <Text span c="dimmed" size="xs">
                    {t("refundDialog.left", { left: line.quantity - line.refunded_quantity })}
                  </Text>
                </Text>
              </Pictured>
              <NumberInput
                aria-label={t("refundDialog.unitsOf", { title: line.title })}
                w={110}
                min={0}
                max={line.quantity - line.refunded_quantity}
                clampBehavior="strict"
                allowDecimal={false}
                value={units[line.id] ?? 0}
                onChange={(value) => setUnits((old) => ({ ...old, [line.id]: Number(value) }))}
              />
            </Group>
          ))}
        </Stack>
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
        {chosen.length === 0 ? (
          <Text c="dimmed" size="sm">
            {t("refundDialog.choose")}
          </Text>
        ) : (
          <div role="status" aria-busy={!isShown}>
            <Text fw={600} mb={4}>
              {t("refundDialog.reverses")}
            </Text>
            <FailureAlert error={preview.error} onRetry={() => void preview.refetch()} />
            {preview.data?.request_state && <Text size="sm">{t(`refundDialog.answer.${preview.data.request_state}`)}</Text>}
            {preview.data && <Reversals preview={preview.data} />}
          </div>
        )}
      </ConfirmDialog>
    </>
  );
}
