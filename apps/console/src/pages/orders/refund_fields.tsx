import { Group, NumberInput, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { amountText } from "../../../../../functions/_shared/words/amount_text.ts";
import { formatMoney } from "../../components/figures.tsx";
import { Pictured } from "../../components/thumbnail.tsx";

type OrderPage = Admin["OrderPage"];
type Preview = Admin["RefundPreview"];

/** What a refund names, as the store takes it. */
export interface RefundBody {
  lines?: Admin["RefundItem"][];
  amount?: string;
  freight?: string;
  answers_request?: boolean;
}

/** What an administrator has entered. */
interface Wanted {
  isWhole: boolean;
  units: Record<number, number>;
  amounts: Record<number, string>;
  whole: string;
  freight: string;
}

const nothing: Wanted = { isWhole: false, units: {}, amounts: {}, whole: "", freight: "" };
const isWrong = (text: string) => text.trim() !== "" && !amountText.test(text.trim());

/** The fields of a refund, at first with the units that the buyer asks for, and what they name. */
export function useRefundFields(order: OrderPage) {
  const [wanted, setWanted] = useState<Wanted>(nothing);
  const refundable = order.lines.filter(({ quantity, refunded_quantity }) => quantity > refunded_quantity);
  const freight = wanted.freight.trim();
  const lines = refundable.flatMap(({ id }): Admin["RefundItem"][] => {
    const amount = wanted.amounts[id]?.trim();
    if (amount) return [{ line_id: id, amount }];
    const quantity = wanted.units[id] ?? 0;
    return quantity > 0 ? [{ line_id: id, quantity }] : [];
  });
  const whole = wanted.whole.trim();
  const isReadable = ![wanted.whole, wanted.freight, ...Object.values(wanted.amounts)].some(isWrong);
  const isSomething = freight !== "" || (wanted.isWhole ? whole !== "" : lines.length > 0);
  const body: RefundBody = {
    ...(wanted.isWhole ? { amount: whole || "0.00" } : { lines }),
    ...(freight && { freight }),
  };
  return {
    wanted,
    refundable,
    body,
    isComplete: isReadable && isSomething,
    change: (part: Partial<Wanted>) => setWanted((old) => ({ ...old, ...part })),
    reset: (units: Record<number, number>) => setWanted({ ...nothing, units }),
  };
}

interface RefundFieldsProps {
  of: ReturnType<typeof useRefundFields>;
  /** What the store has computed of what was entered before; undefined before the first answer. */
  preview: Preview | undefined;
}

export function RefundFields({ of: { wanted, refundable, change }, preview }: RefundFieldsProps) {
  const { t } = useTranslation(["orders", "common"]);
  const wrong = (text: string) => (isWrong(text) ? t("common:invalid.amount") : undefined);
  const leftOf = (line: number) => preview?.lines.find(({ line_id }) => line_id === line)?.left;
  return (
    <Stack gap="xs">
      {refundable.length > 0 && (
        <SegmentedControl
          aria-label={t("refundDialog.what")}
          value={wanted.isWhole ? "whole" : "lines"}
          onChange={(value) => change({ isWhole: value === "whole" })}
          data={[
            { value: "lines", label: t("refundDialog.byLine") },
            { value: "whole", label: t("refundDialog.whole") },
          ]}
        />
      )}
      {wanted.isWhole ? (
        <TextInput
          label={t("refundDialog.wholeAmount")}
          description={t("refundDialog.wholeHint")}
          inputMode="decimal"
          value={wanted.whole}
          error={wrong(wanted.whole)}
          onChange={(event) => change({ whole: event.currentTarget.value })}
        />
      ) : (
        refundable.map((line) => {
          const left = leftOf(line.id);
          const amount = wanted.amounts[line.id] ?? "";
          return (
            <Group key={line.id} justify="space-between" wrap="nowrap" align="flex-start">
              <Pictured address={line.image}>
                <Text size="sm">
                  {line.title}{" "}
                  <Text span c="dimmed" size="xs">
                    {t("refundDialog.left", { left: line.quantity - line.refunded_quantity })}
                    {left && ` · ${formatMoney(left)}`}
                  </Text>
                </Text>
              </Pictured>
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <NumberInput
                  aria-label={t("refundDialog.unitsOf", { title: line.title })}
                  w={90}
                  min={0}
                  max={line.quantity - line.refunded_quantity}
                  clampBehavior="strict"
                  allowDecimal={false}
                  value={wanted.units[line.id] ?? 0}
                  onChange={(value) =>
                    change({
                      units: { ...wanted.units, [line.id]: Number(value) },
                      amounts: { ...wanted.amounts, [line.id]: "" },
                    })
                  }
                />
                <TextInput
                  aria-label={t("refundDialog.amountOf", { title: line.title })}
                  placeholder={t("refundDialog.orAmount")}
                  w={120}
                  inputMode="decimal"
                  value={amount}
                  error={wrong(amount)}
                  onChange={(event) =>
                    change({
                      amounts: { ...wanted.amounts, [line.id]: event.currentTarget.value },
                      units: { ...wanted.units, [line.id]: 0 },
                    })
                  }
                />
              </Group>
            </Group>
          );
        })
      )}
      <TextInput
        label={t("refundDialog.freight")}
        description={
          preview
            ? t("refundDialog.freightLeft", { left: formatMoney(preview.freight_left) })
            : t("refundDialog.freightHint")
        }
        placeholder={preview && wanted.freight === "" ? formatMoney(preview.freight) : undefined}
        inputMode="decimal"
        value={wanted.freight}
        error={wrong(wanted.freight)}
        onChange={(event) => change({ freight: event.currentTarget.value })}
      />
    </Stack>
  );
}
