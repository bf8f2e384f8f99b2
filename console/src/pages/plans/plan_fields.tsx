import { Fieldset, Group, NumberInput, Radio, SimpleGrid, Stack } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FieldNumber } from "../../components/field_number.ts";
import { RestoredNotice } from "../../components/restored_notice.tsx";
import { Section } from "../../components/section.tsx";
import type { Draft } from "../../components/use_draft.ts";
import type { PlanForm } from "./plan_draft.ts";

const mostPeople = 100;

/** As many ratios as people: new places are empty, places beyond are left out. */
function resize(ratios: FieldNumber[], people: FieldNumber): FieldNumber[] {
  const length = Math.min(Math.max(Number(people), 1), mostPeople);
  return Array.from({ length }, (_, place) => ratios[place] ?? "");
}

/** The settings of the plan. */
export function PlanFields({ draft, save }: { draft: Draft<PlanForm>; save: ReactNode }) {
  const { t } = useTranslation("plan");
  const { form } = draft;
  const percent = { suffix: " %", decimalScale: 3, min: 0, max: 100, hideControls: true } as const;

  const typed = useRef<FieldNumber[]>([]);

  function setPeople(value: string | number) {
    const people = value === "" ? "" : Number(value);
    form.setFieldValue("people_per_cycle", people);
    // On the way to 12 there is a 1, which must not cost the ratios behind it.
    typed.current = Object.assign([...typed.current], form.values.tier_ratios);
    if (people !== "") form.setFieldValue("tier_ratios", resize(typed.current, people));
  }

  return (
    <Section title={t("settings")}>
      <Stack component="form" onSubmit={(event) => event.preventDefault()}>
        <RestoredNotice draft={draft} />
        <NumberInput {...form.getInputProps("people_per_cycle")} onChange={setPeople} label={t("people")} description={t("peopleHint")} min={1} max={mostPeople} allowDecimal={false} w={200} />
        <Fieldset legend={t("ratios")}>
          <SimpleGrid cols={{ base: 3, sm: 4 }} spacing="sm">
            {form.values.tier_ratios.map((_, place) => (
              <NumberInput key={place} {...form.getInputProps(`tier_ratios.${place}`)} {...percent} label={t("ratioOf", { place: place + 1 })} />
            ))}
          </SimpleGrid>
        </Fieldset>
        <Radio.Group {...form.getInputProps("brokerage_scope")} label={t("scope")}>
          <Stack gap="xs" mt="xs">
            {(["direct", "umbrella"] as const).map((scope) => <Radio key={scope} value={scope} label={t(`scopes.${scope}`)} />)}
          </Stack>
        </Radio.Group>
        <Radio.Group {...form.getInputProps("brokerage_timing")} label={t("timing")}>
          <Stack gap="xs" mt="xs">
            {(["on_pay", "confirm"] as const).map((timing) => <Radio key={timing} value={timing} label={t(`timings.${timing}`)} />)}
          </Stack>
        </Radio.Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: "end" }}>
          <NumberInput {...form.getInputProps("points_per_brokerage")} label={t("pointsPerBrokerage")} description={t("pointsPerBrokerageHint")} min={0} max={100} decimalScale={4} />
          <NumberInput {...form.getInputProps("max_depth")} label={t("maxDepth")} description={t("maxDepthHint")} min={1} allowDecimal={false} />
          <NumberInput {...form.getInputProps("payout_cap")} {...percent} label={t("payoutCap")} />
          <NumberInput {...form.getInputProps("minimum_base")} label={t("minimumBase")} description={t("minimumBaseHint")} min={0.01} max={1_000_000} decimalScale={2} />
        </SimpleGrid>
        <Group justify="flex-end">{save}</Group>
      </Stack>
    </Section>
  );
}
