import { Select, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../../../../shared/use_action.ts";
import { emptyTexts, wrongChanges } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useStore } from "../../store/store.ts";

const amounts = ["exempt_income", "other_deductions", "relief"] as const;

type Fields = Record<"month" | "reason" | (typeof amounts)[number], string>;

/** Records exempt income, other deductions and relief for the tax of a member in a month of a year. */
export function TaxAllowanceForm({ uid, year, onClose }: { uid: number; year: number; onClose: () => void }) {
  const { t } = useTranslation("members");
  const { admin } = useStore();
  const [empty] = useState<Fields>({ month: "", exempt_income: "", other_deductions: "", relief: "", reason: "" });
  const check = ({ month, reason, ...changes }: Fields) => ({
    ...emptyTexts({ month, reason }),
    ...(Object.values(changes).every((amount) => amount.trim() === "") && { exempt_income: t("tax.noAmount") }),
    ...wrongChanges(changes),
  });
  const draft = useDraft<Fields>(`tax allowance ${uid} ${year}`, empty, check);
  const { form } = draft;
  // Amounts are sent as text, so that no digit passes through a floating-point number.
  const save = useAction(({ month, reason, exempt_income, other_deductions, relief }: Fields, key) =>
    admin.POST("/adminapi/user/{uid}/tax", {
      params: { path: { uid } },
      body: {
        month,
        reason,
        ...(exempt_income.trim() && { exempt_income: exempt_income.trim() }),
        ...(other_deductions.trim() && { other_deductions: other_deductions.trim() }),
        ...(relief.trim() && { relief: relief.trim() }),
      },
      ...key,
    }),
  );
  return (
    <FormDrawer area="money" title={t("tax.add")} draft={draft} save={save} added={t("tax.added")} onClose={onClose}>
      <Select
        {...form.getInputProps("month")}
        label={t("tax.month")}
        data={Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, "0")}`)}
        required
        allowDeselect={false}
        data-autofocus
      />
      {amounts.map((name, index) => (
        <TextInput
          key={name}
          {...form.getInputProps(name)}
          label={t(`tax.${name}`)}
          {...(index === 0 && { description: t("tax.amountMeaning") })}
          inputMode="text"
          maxLength={16}
          className="figures"
        />
      ))}
      <Textarea
        {...form.getInputProps("reason")}
        label={t("tax.reason")}
        description={t("tax.reasonMeaning")}
        required
        autosize
        minRows={2}
        maxLength={500}
      />
    </FormDrawer>
  );
}
