import { Select, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { emptyTexts, wrongChanges } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";

const kinds = ["correction", "payout", "forfeit"] as const;

type Fields = {
  uid: string;
  kind: string;
  brokerage: string;
  frozen_points: string;
  available_points: string;
  reason: string;
};

/**
 * Makes an adjustment. Money is sent as text, so that no digit passes through a floating-point number.
 * @param of what is filled in already
 */
export function AdjustmentForm({ uid, of = {}, onClose }: { uid: string; of?: Partial<Fields>; onClose: () => void }) {
  const { t } = useTranslation(["adjustments", "words"]);
  const { admin } = useStore();
  const [empty] = useState<Fields>({
    uid,
    kind: "correction",
    brokerage: "",
    frozen_points: "",
    available_points: "",
    reason: "",
    ...of,
  });
  const check = ({ uid: member, kind: _, brokerage, reason, ...points }: Fields) => ({
    ...emptyTexts({ reason }),
    ...(!/^[1-9]\d{0,14}$/.test(member.trim()) && { uid: t("wrongMember") }),
    ...wrongChanges({ brokerage }),
    ...Object.fromEntries(
      Object.entries(points)
        .filter(([, value]) => !/^(-?\d{1,9}(\.\d{1,4})?)?$/.test(value.trim()))
        .map(([name]) => [name, t("wrongPoints")]),
    ),
  });
  const draft = useDraft<Fields>(`adjustment ${uid} ${empty.kind}`, empty, check);
  const { form } = draft;
  const save = useAction(({ uid: member, kind, reason, brokerage, frozen_points, available_points }: Fields, key) =>
    admin.POST("/adminapi/adjustment", {
      body: {
        uid: Number(member),
        reason,
        kind: kinds.find((name) => name === kind) ?? "correction",
        ...(brokerage.trim() && { brokerage: brokerage.trim() }),
        ...(frozen_points.trim() && { frozen_points: Number(frozen_points) }),
        ...(available_points.trim() && { available_points: Number(available_points) }),
      },
      ...key,
    }),
  );
  const amount = (field: "brokerage" | "frozen_points" | "available_points") =>
    ({ ...form.getInputProps(field), inputMode: "text", maxLength: 16, className: "figures" }) as const;

  return (
    <FormDrawer area="money" title={t("add")} draft={draft} save={save} added={t("added")} onClose={onClose}>
      <TextInput
        {...form.getInputProps("uid")}
        label={t("words:uid")}
        required
        inputMode="numeric"
        maxLength={15}
        className="figures"
        data-autofocus
      />
      <Select
        {...form.getInputProps("kind")}
        label={t("kind")}
        description={t("kindMeaning")}
        data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        allowDeselect={false}
      />
      <TextInput {...amount("brokerage")} label={t("brokerage")} description={t("signMeaning")} />
      <TextInput {...amount("frozen_points")} label={t("words:frozenPoints")} />
      <TextInput {...amount("available_points")} label={t("words:availablePoints")} />
      <Textarea
        {...form.getInputProps("reason")}
        label={t("reason")}
        description={t("reasonMeaning")}
        required
        autosize
        minRows={2}
        maxLength={500}
      />
    </FormDrawer>
  );
}
