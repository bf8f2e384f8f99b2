import { Button, Group, SimpleGrid } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin, AdminRoutes } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ChangeTable } from "../../components/change_table.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { notify } from "../../components/notify.ts";
import { Section as Card } from "../../components/section.tsx";
import { RestoredNotice } from "../../components/restored_notice.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useStore } from "../../store/store.ts";
import { SettingFacts, useSettingValue } from "./setting_facts.tsx";
import { SettingInput } from "./setting_input.tsx";
import { changeOf, type Field, fieldsOf, wrongFields } from "./settings_fields.ts";
import { declared, type Section, type SettingName } from "./settings_table.ts";

type Changes = AdminRoutes["PUT"]["/adminapi/system/settings"]["request"]["body"];

/** What an input says, in words. */
function useFieldWords(): (name: SettingName, field: Field) => string {
  const valueOf = useSettingValue();
  return (name, field) => {
    if (field === "") return valueOf(name, null);
    const { kind } = declared(name);
    if (kind === "postal") return Object.values(field).filter(Boolean).join(" ") || valueOf(name, null);
    return valueOf(name, kind === "amount" ? field : changeOf(name, field));
  };
}

interface SettingsSectionProps {
  section: Section;
  /** The settings that the search has found. */
  names: SettingName[];
  settings: Admin["Settings"];
  history: Admin["SettingsHistory"] | undefined;
}

/** The settings of a section, which are saved together. */
export function SettingsSection({ section, names, settings, history }: SettingsSectionProps) {
  const { t } = useTranslation(["settings", "common"]);
  const { admin } = useStore();
  const wordsOf = useFieldWords();
  const saved = fieldsOf(section, settings);
  const draft = useDraft(`settings ${section}`, saved, wrongFields);
  const { form } = draft;
  const save = useAction((body: Changes, key) => admin.PUT("/adminapi/system/settings", { body, ...key }));
  const changed = Object.keys(draft.changes()) as SettingName[];
  const submit = () =>
    save.mutate(Object.fromEntries(changed.map((name) => [name, changeOf(name, form.getValues()[name]!)])), {
      onSuccess: ({ updated_at }) => {
        // What only looked different, such as 10 for 10.00, is shown as it is stored. A change brings a new form.
        if (updated_at === settings.updated_at) draft.discard();
        else draft.forget();
        notify(t("common:saved"));
      },
      onError: draft.showRejection,
    });
  return (
    <div id={`settings-${section}`} className="settings-section">
      <Card title={t(`sections.${section}`)}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!form.validate().hasErrors && changed.length > 0) submit();
          }}
        >
          <RestoredNotice draft={draft} />
          <SimpleGrid cols={{ base: 1, lg: 2 }} verticalSpacing="md">
            {names.map((name) => (
              <div key={name} data-setting={name}>
                <SettingInput
                  name={name}
                  input={form.getInputProps(name, declared(name).kind === "switch" ? { type: "checkbox" } : {})}
                  description={<SettingFacts name={name} history={history} />}
                />
              </div>
            ))}
          </SimpleGrid>
          <FailureAlert error={save.error} marksFields />
          {changed.length > 0 && (
            <>
              <ChangeTable
                label={t("changes")}
                changes={changed.map((name) => ({
                  name: t(`fields.${name}.label`),
                  before: wordsOf(name, saved[name]!),
                  after: wordsOf(name, form.values[name]!),
                }))}
              />
              <Group justify="flex-end" mt="sm">
                <Allowed area="system">
                  <Button type="submit" loading={save.isPending}>
                    {t("common:save")}
                  </Button>
                </Allowed>
              </Group>
            </>
          )}
        </form>
      </Card>
    </div>
  );
}
