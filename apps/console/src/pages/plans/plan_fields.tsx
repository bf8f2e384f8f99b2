import { Fieldset, Group, Input, NumberInput, Radio, SimpleGrid, Stack } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FieldNumber } from "../../components/field_number.ts";
import { RestoredNotice } from "../../components/restored_notice.tsx";
import { Section } from "../../components/section.tsx";
import type { Draft, FieldErrors } from "../../components/use_draft.ts";
import type { PlanForm } from "./plan_draft.ts";

const mostPeople = 100;

/** Adjusts the ratios to the number of people: new places are empty, extra places are removed. */
function resize(ratios: FieldNumber[], people: FieldNumber): FieldNumber[] {
  const length = Math.min(Math.max(Number(people), 1), mostPeople);
  return Array.from({ length }, (_, place) => ratios[place] ?? "");
}

interface PlanFieldsProps {
  draft: Draft<PlanForm>;
  /** The errors of the store about the present draft. */
  rejected: FieldErrors;
  save: ReactNode;
}

/** The settings of the plan. */
export function PlanFields({ draft, rejected, save }: PlanFieldsProps) {
  const { t } = useTranslation("plans");
  const { form } = draft;
  const percent = { suffix: " %", decimalScale: 3, min: 0, max: 100, hideControls: true } as const;

  const errorOf = (path: string) => form.errors[path] ?? rejected[path];
  const input = (path: string) => ({ ...form.getInputProps(path), error: errorOf(path) });

  const typed = useRef<FieldNumber[]>([]);

  function setPeople(value: string | number) {
    const people = value === "" ? "" : Number(value);
    form.setFieldValue("people_per_cycle", people);
    // While 12 is typed, the field contains 1. The ratios after the first must survive that.
    typed.current = Object.assign([...typed.current], form.values.tier_ratios);
    if (people !== "") form.setFieldValue("tier_ratios", resize(typed.current, people));
  }

  return (
    <Section title={t("settings")}>
      <Stack component="form" onSubmit={(event) => event.preventDefault()}>
        <RestoredNotice draft={draft} />
        <NumberInput
          {...input("people_per_cycle")}
          onChange={setPeople}
          label={t("people")}
          description={t("peopleHint")}
          min={1}
          max={mostPeople}
          allowDecimal={false}
          w={200}
        />
        <Fieldset legend={t("ratios")}>
          <SimpleGrid cols={{ base: 3, sm: 4 }} spacing="sm">
            {form.values.tier_ratios.map((_, place) => (
              <NumberInput
                key={place}
                {...input(`tier_ratios.${place}`)}
                {...percent}
                label={t("ratioOf", { place: place + 1 })}
              />
            ))}
          </SimpleGrid>
          {errorOf("tier_ratios") && <Input.Error mt="xs">{errorOf("tier_ratios")}</Input.Error>}
        </Fieldset>
        <Radio.Group {...input("brokerage_scope")} label={t("scope")}>
          <Stack gap="xs" mt="xs">
            {(["direct", "umbrella"] as const).map((scope) => (
              <Radio key={scope} value={scope} label={t(`scopes.${scope}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group {...input("brokerage_timing")} label={t("timing")}>
          <Stack gap="xs" mt="xs">
            {(["on_pay", "confirm"] as const).map((timing) => (
              <Radio key={timing} value={timing} label={t(`timings.${timing}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: "end" }}>
          <NumberInput
            {...input("points_per_brokerage")}
            label={t("pointsPerBrokerage")}
            description={t("pointsPerBrokerageHint")}
            min={0}
            max={100}
            decimalScale={4}
          />
          <NumberInput
            {...input("max_depth")}
            label={t("maxDepth")}
            description={t("maxDepthHint")}
            min={1}
            allowDecimal={false}
          />
          <NumberInput {...input("payout_cap")} {...percent} label={t("payoutCap")} description={t("payoutCapHint")} />
          <NumberInput
            {...input("minimum_base")}
            label={t("minimumBase")}
            description={t("minimumBaseHint")}
            min={0.01}
            max={1_000_000}
            decimalScale={2}
          />
          <NumberInput
            {...input("holding_days")}
            label={t("holdingDays")}
            description={t("holdingDaysHint")}
            min={0}
            max={365}
            allowDecimal={false}
          />
        </SimpleGrid>
        <Group justify="flex-end">{save}</Group>
      </Stack>
    </Section>
  );
}
