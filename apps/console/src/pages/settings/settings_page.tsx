import { Button, Fieldset, Group, Stack } from "@mantine/core";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import type { Admin, AdminRoutes } from "../../../../client/index.ts";
import { TextLink } from "../../components/links.tsx";
import { Allowed } from "../../components/allowed.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { Page } from "../../components/page.tsx";
import { RestoredNotice } from "../../components/restored_notice.tsx";
import { Section } from "../../components/section.tsx";
import { emptyNumbers, type FieldNumber, toPercent, toRatio } from "../../components/field_number.ts";
import {
  emptyTexts,
  listedNumbers,
  wrongAddresses,
  wrongAmounts,
  wrongColours,
  wrongMinutes,
} from "../../components/field_text.ts";
import { notify } from "../../components/notify.ts";
import { type FieldErrors, useDraft } from "../../components/use_draft.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { emptyPostal, isEmpty, isWrong, type PostalFields, toAddress, toPostal } from "./postal.ts";
import { SettingFacts } from "./setting_facts.tsx";
import { SettingInput } from "./setting_input.tsx";
import { declared, sections, type SettingName, settingNames } from "./settings_table.ts";

type Settings = Omit<Admin["Settings"], "updated_at">;
type Changes = AdminRoutes["PUT"]["/adminapi/system/settings"]["request"]["body"];
/**
 * The values of the inputs: lists of minutes and shares are edited as texts and percentages, and nothing is an empty
 * text.
 */
type Fields = Record<SettingName, string | number | boolean | string[] | PostalFields>;

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

const wrongOrigins = (origins: Record<string, string[]>): FieldErrors =>
  Object.fromEntries(
    Object.entries(origins)
      .filter(
        ([, list]) =>
          list.length > 20 || !list.every((one) => /^https:\/\/[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/i.test(one)),
      )
      .map(([path]) => [path, i18next.t("settings:avatarOriginsWrong")]),
  );

function wrongField(name: SettingName, value: Fields[SettingName]): FieldErrors {
  if (value === "" && (declared(name).removable || declared(name).kind === "minutes")) return {};
  const text = { [name]: value as string };
  switch (declared(name).kind) {
    case "line":
    case "phone":
    case "zone":
      return emptyTexts(text);
    case "amount":
      return wrongAmounts(text);
    case "share_address":
    case "web_address":
      return wrongAddresses(text);
    case "colour":
      return wrongColours(text);
    case "minutes":
      return wrongMinutes(text);
    case "origins":
      return wrongOrigins({ [name]: value as string[] });
    case "postal":
      return isWrong(value as PostalFields) ? { [name]: i18next.t("settings:postal.wrong") } : {};
    case "integer":
    case "number":
    case "percent":
      return emptyNumbers({ [name]: value as FieldNumber });
    default:
      return {};
  }
}

const wrongFields = (fields: Fields): FieldErrors =>
  Object.assign({}, ...settingNames.map((name) => wrongField(name, fields[name]))) as FieldErrors;

function fieldOf(name: SettingName, value: Settings[SettingName]): Fields[SettingName] {
  const { kind } = declared(name);
  if (kind === "percent") return toPercent(value as number);
  if (kind === "minutes") return (value as number[]).join(", ");
  if (kind === "postal") return value === null ? emptyPostal : toPostal(value as Admin["Address"]);
  return (value ?? "") as Fields[SettingName];
}

/** What is sent for an input. An empty maximum is 0, which removes the limit. */
function changeOf(name: SettingName, field: Fields[SettingName]): unknown {
  const { kind } = declared(name);
  if (kind === "percent") return toRatio(field as FieldNumber);
  if (kind === "minutes") return listedNumbers(field as string);
  if (kind === "postal") return isEmpty(field as PostalFields) ? {} : toAddress(field as PostalFields);
  return kind === "amount" && field === "" ? "0" : field;
}

function SettingsForm({ settings: { updated_at, ...settings } }: { settings: Admin["Settings"] }) {
  const { t } = useTranslation(["settings", "common"]);
  const { admin } = useStore();
  const history = useAdmin("/adminapi/system/settings/history").data;
  const saved = Object.fromEntries(settingNames.map((name) => [name, fieldOf(name, settings[name])])) as Fields;
  const draft = useDraft<Fields>("settings", saved, wrongFields);
  const { form } = draft;
  const save = useAction((body: Changes, key) => admin.PUT("/adminapi/system/settings", { body, ...key }));
  const submit = () => {
    const changed = Object.entries(draft.changes()).map(([name, field]) => [
      name,
      changeOf(name as SettingName, field),
    ]);
    save.mutate(Object.fromEntries(changed) as Changes, {
      onSuccess: (stored) => {
        // What only looked different, such as 10 for 10.00, is shown as it is stored. A change brings a new form.
        if (stored.updated_at === updated_at) draft.discard();
        else draft.forget();
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
      <Stack maw={640}>
        <RestoredNotice draft={draft} />
        {sections.map((section) => (
          <Fieldset key={section} legend={t(`sections.${section}`)}>
            <Stack>
              {settingNames
                .filter((name) => declared(name).section === section)
                .map((name) => (
                  <SettingInput
                    key={name}
                    name={name}
                    input={form.getInputProps(name, declared(name).kind === "switch" ? { type: "checkbox" } : {})}
                    description={<SettingFacts name={name} history={history} />}
                  />
                ))}
            </Stack>
          </Fieldset>
        ))}
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
  const { t } = useTranslation(["settings", "notices"]);
  const settings = useAdmin("/adminapi/system/settings");
  const metadata = useAdmin("/adminapi/system/metadata");
  return (
    <Page title={t("title")} about={<TextLink to="/settings/messages">{t("notices:messages.title")}</TextLink>}>
      <QueryResult of={settings}>{(saved) => <SettingsForm key={saved.updated_at} settings={saved} />}</QueryResult>
      <Section title={t("system")}>
        <QueryResult of={metadata}>
          {(system) => <DescriptionList items={systemFacts.map((name) => [t(`facts.${name}`), system[name] ?? "–"])} />}
        </QueryResult>
      </Section>
    </Page>
  );
}
