import { Button, Checkbox, ColorInput, Group, NumberInput, Stack, Switch, TagsInput, TextInput } from "@mantine/core";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import type { Admin, AdminRoutes } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { Page } from "../../components/page.tsx";
import { RestoredNotice } from "../../components/restored_notice.tsx";
import { Section } from "../../components/section.tsx";
import { emptyNumbers, type FieldNumber, toPercent, toRatio } from "../../components/field_number.ts";
import { emptyTexts, listedNumbers, wrongAddresses, wrongAmounts, wrongColours, wrongMinutes } from "../../components/field_text.ts";
import { notify } from "../../components/notify.ts";
import { type FieldErrors, useDraft } from "../../components/use_draft.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { withdrawalMethods } from "../withdrawals/withdrawal_state.tsx";
import { useAction } from "../../../../web/use_action.ts";

const numbers = [
  ["max_unpaid_orders", "mostUnpaid", 1, 1000],
  ["orders_per_hour", "ordersPerHour", 1, 100_000],
  ["cancellations_per_hour", "cancellationsPerHour", 1, 100_000],
  ["keys_per_hour", "keysPerHour", 1, 100_000],
  ["profile_changes_per_hour", "profileChangesPerHour", 1, 100_000],
  ["posters_per_hour", "postersPerHour", 1, 100_000],
  ["payment_minutes", "paymentMinutes", 5, 1440],
  ["order_expiry_minutes", "expiryMinutes", 5, 10_080],
  ["offline_payment_days", "offlineDays", 1, 90],
  ["receipt_days", "receiptDays", 1, 90],
  ["refund_window_days", "refundWindow", 0, 3650],
  ["settlement_slots", "settlementSlots", 0, 16],
] as const;
type Numbers = Record<(typeof numbers)[number][0] | "points_rate" | "points_max_share" | "adjustment_limit_points", FieldNumber>;
type Fields = {
  site_name: string;
  logo: string;
  colour: string;
  time_zone: string;
  h5_share_url: string;
  payment_query_minutes: string;
  offline_payment: boolean;
  adjustment_limit_money: string;
  offline_payment_limit: string;
  withdrawal_limit: string;
  withdrawal_minimum: string;
  withdrawal_maximum: string;
  withdrawal_fee_rate: FieldNumber;
  withdrawal_methods: Admin["Settings"]["withdrawal_methods"];
  transfer_minimum: string;
  transfer_maximum: string;
  transfer_name_from: string;
  avatar_origins: string[];
} & Numbers;
type Changes = AdminRoutes["PUT"]["/adminapi/system/settings"]["request"]["body"];

const systemFacts = [
  "version",
  "api_version",
  "commit",
  "runtime",
  "database_version",
  "migration",
  "last_release",
  "waiting_jobs",
  "dead_jobs",
] as const;

/** Main colours that many stores have. */
const suggestedColours = ["#c8102e", "#d9480f", "#b45309", "#2b8a3e", "#0b7285", "#1864ab", "#5f3dc4", "#343a40"];

const wrongOrigins = (fields: Record<string, string[]>): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(
        ([, origins]) =>
          origins.length > 20 || !origins.every((origin) => /^https:\/\/[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/i.test(origin)),
      )
      .map(([path]) => [path, i18next.t("settings:avatarOriginsWrong")]),
  );

/** The maxima may be empty: no limit. */
function wrongFields({
  site_name,
  logo,
  colour,
  time_zone,
  h5_share_url,
  payment_query_minutes,
  offline_payment: _,
  adjustment_limit_money,
  offline_payment_limit,
  withdrawal_limit,
  withdrawal_minimum,
  withdrawal_maximum,
  withdrawal_methods: __,
  transfer_minimum,
  transfer_maximum,
  transfer_name_from,
  avatar_origins,
  ...counts
}: Fields): FieldErrors {
  const maxima = { ...(withdrawal_maximum !== "" && { withdrawal_maximum }), ...(transfer_maximum !== "" && { transfer_maximum }) };
  return {
    ...emptyTexts({ site_name, time_zone }),
    ...wrongAmounts({
      adjustment_limit_money,
      offline_payment_limit,
      withdrawal_limit,
      withdrawal_minimum,
      transfer_minimum,
      transfer_name_from,
      ...maxima,
    }),
    ...wrongAddresses({ h5_share_url, ...(logo.trim() !== "" && { logo }) }),
    ...wrongColours({ colour }),
    ...wrongMinutes({ payment_query_minutes }),
    ...emptyNumbers(counts),
    ...wrongOrigins({ avatar_origins }),
  };
}

/** An empty maximum is sent as 0, which removes the limit. */
const changesOf = (changes: Changes): Changes => ({
  ...changes,
  ...(changes.withdrawal_maximum === "" && { withdrawal_maximum: "0" }),
  ...(changes.transfer_maximum === "" && { transfer_maximum: "0" }),
});

function SettingsForm({ settings: { updated_at: _, ...settings } }: { settings: Admin["Settings"] }) {
  const { t } = useTranslation(["settings", "common", "withdrawals"]);
  const { admin } = useStore();
  const saved = {
    ...settings,
    logo: settings.logo ?? "",
    withdrawal_maximum: settings.withdrawal_maximum ?? "",
    transfer_maximum: settings.transfer_maximum ?? "",
    payment_query_minutes: settings.payment_query_minutes.join(", "),
    points_max_share: toPercent(settings.points_max_share),
  };
  const draft = useDraft<Fields>("settings", saved, wrongFields);
  const { form } = draft;
  const save = useAction((body: Changes, key) => admin.PUT("/adminapi/system/settings", { body, ...key }));
  const submit = () => {
    // An empty number is never sent, because its field is invalid.
    const { points_max_share, payment_query_minutes, ...changes } = draft.changes();
    const share = points_max_share !== undefined && { points_max_share: toRatio(points_max_share) };
    const queries = payment_query_minutes !== undefined && { payment_query_minutes: listedNumbers(payment_query_minutes) };
    save.mutate(changesOf({ ...changes, ...share, ...queries } as Changes), {
      onSuccess: () => {
        draft.forget();
        notify(t("common:saved"));
      },
      onError: draft.showRejection,
    });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.validate().hasErrors) submit();
      }}
    >
      <Stack maw={560}>
        <RestoredNotice draft={draft} />
        <TextInput {...form.getInputProps("site_name")} label={t("siteName")} required maxLength={100} />
        <TextInput {...form.getInputProps("logo")} type="url" label={t("logo")} description={t("logoHint")} maxLength={1000} />
        <ColorInput
          {...form.getInputProps("colour")}
          fixOnBlur={false}
          label={t("colour")}
          description={t("colourHint")}
          required
          swatches={suggestedColours}
          withEyeDropper={false}
          w={260}
        />
        <TextInput
          {...form.getInputProps("time_zone")}
          label={t("timeZone")}
          description={t("timeZoneHint")}
          required
          maxLength={64}
          list="time-zones"
        />
        <datalist id="time-zones">
          {Intl.supportedValuesOf("timeZone").map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <TextInput
          {...form.getInputProps("h5_share_url")}
          type="url"
          label={t("shareUrl")}
          description={t("shareUrlHint")}
          required
          maxLength={500}
        />
        {numbers.map(([name, text, min, max]) => (
          <NumberInput
            key={name}
            {...form.getInputProps(name)}
            label={t(text)}
            description={t(`hints.${text}`)}
            required
            min={min}
            max={max}
            clampBehavior="none"
            allowDecimal={false}
            inputSize="12"
          />
        ))}
        <TextInput
          {...form.getInputProps("payment_query_minutes")}
          label={t("queryMinutes")}
          description={t("queryMinutesHint")}
          maxLength={60}
          w={260}
        />
        <NumberInput
          {...form.getInputProps("points_rate")}
          label={t("pointsRate")}
          description={t("pointsRateHint")}
          required
          min={0.01}
          max={999_999.99}
          decimalScale={2}
          clampBehavior="none"
          inputSize="12"
        />
        <NumberInput
          {...form.getInputProps("points_max_share")}
          label={t("pointsMaxShare")}
          description={t("pointsMaxShareHint")}
          required
          min={0}
          max={99.999}
          decimalScale={3}
          suffix=" %"
          clampBehavior="none"
          inputSize="12"
        />
        <Switch {...form.getInputProps("offline_payment", { type: "checkbox" })} label={t("offline")} description={t("offlineHint")} />
        <TextInput
          {...form.getInputProps("adjustment_limit_money")}
          label={t("adjustmentMoney")}
          description={t("adjustmentHint")}
          required
          inputMode="decimal"
          maxLength={12}
          w={260}
        />
        <NumberInput
          {...form.getInputProps("adjustment_limit_points")}
          label={t("adjustmentPoints")}
          required
          min={0}
          max={100_000_000}
          decimalScale={4}
          clampBehavior="none"
          inputSize="12"
        />
        <TextInput
          {...form.getInputProps("offline_payment_limit")}
          label={t("offlineLimit")}
          description={t("offlineLimitHint")}
          required
          inputMode="decimal"
          maxLength={12}
          w={260}
        />
        <TextInput
          {...form.getInputProps("withdrawal_limit")}
          label={t("withdrawalLimit")}
          description={t("withdrawalLimitHint")}
          required
          inputMode="decimal"
          maxLength={12}
          w={260}
        />
        <TextInput
          {...form.getInputProps("withdrawal_minimum")}
          label={t("withdrawalMinimum")}
          required
          inputMode="decimal"
          maxLength={15}
          w={260}
        />
        <TextInput
          {...form.getInputProps("withdrawal_maximum")}
          label={t("withdrawalMaximum")}
          description={t("withdrawalMaximumHint")}
          inputMode="decimal"
          maxLength={15}
          w={260}
        />
        <NumberInput
          {...form.getInputProps("withdrawal_fee_rate")}
          label={t("withdrawalFee")}
          description={t("withdrawalFeeHint")}
          required
          min={0}
          max={0.99999}
          step={0.001}
          decimalScale={5}
          clampBehavior="none"
          inputSize="12"
        />
        <Checkbox.Group
          {...form.getInputProps("withdrawal_methods")}
          label={t("withdrawalMethods")}
          description={t("withdrawalMethodsHint")}
        >
          <Group mt="xs">
            {withdrawalMethods.map((method) => (
              <Checkbox key={method} value={method} label={t(`withdrawals:methods.${method}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <TextInput
          {...form.getInputProps("transfer_minimum")}
          label={t("transferMinimum")}
          required
          inputMode="decimal"
          maxLength={15}
          w={260}
        />
        <TextInput
          {...form.getInputProps("transfer_maximum")}
          label={t("transferMaximum")}
          description={t("transferMaximumHint")}
          inputMode="decimal"
          maxLength={15}
          w={260}
        />
        <TextInput
          {...form.getInputProps("transfer_name_from")}
          label={t("transferName")}
          description={t("transferNameHint")}
          required
          inputMode="decimal"
          maxLength={15}
          w={260}
        />
        <TagsInput
          {...form.getInputProps("avatar_origins")}
          label={t("avatarOrigins")}
          description={t("avatarOriginsHint")}
          maxLength={200}
        />
        <FailureAlert error={save.error} marksFields />
        <Group justify="flex-end">
          <Allowed area="system">
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {t("common:save")}
            </Button>
          </Allowed>
        </Group>
      </Stack>
    </form>
  );
}

export function Component() {
  const { t } = useTranslation("settings");
  const settings = useAdmin("/adminapi/system/settings");
  const metadata = useAdmin("/adminapi/system/metadata");
  return (
    <Page title={t("title")}>
      <Section title={t("store")}>
        <QueryResult of={settings}>{(saved) => <SettingsForm key={saved.updated_at} settings={saved} />}</QueryResult>
      </Section>
      <Section title={t("system")}>
        <QueryResult of={metadata}>
          {(system) => <DescriptionList items={systemFacts.map((name) => [t(`facts.${name}`), system[name] ?? "–"])} />}
        </QueryResult>
      </Section>
    </Page>
  );
}
