import { Alert, Button, Checkbox, Group, Select, Stack, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { type Language, languages } from "../../../../shared/languages.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { notify } from "../../components/notify.ts";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useAdmin, useStore } from "../../store/store.ts";
import { useWaiting, type WaitingKind } from "../../store/waiting.ts";

type Notices = Admin["OwnNotices"];

const intervals = [
  [15, "quarter"],
  [60, "hour"],
  [240, "hours"],
  [1440, "day"],
] as const;

/** The notices by email that the administrator has chosen, and the choice among the kinds that their roles allow. */
function Choices({ chosen, offered }: { chosen: Notices; offered: WaitingKind[] }) {
  const { t, i18n } = useTranslation(["notices", "words", "common"]);
  const { admin } = useStore();
  const [kinds, setKinds] = useState<WaitingKind[]>(chosen.kinds);
  const [minutes, setMinutes] = useState(chosen.minutes);
  const [language, setLanguage] = useState(chosen.language ?? (i18n.language === "zh" ? "zh" : "en"));
  const save = useAction((body: Pick<Notices, "kinds" | "minutes"> & { language: Language }, key) =>
    admin.PUT("/adminapi/me/notices", { body, ...key }),
  );
  return (
    <Stack maw={560}>
      {!chosen.is_set_up && (
        <Alert color="orange" icon={<TriangleAlert size={18} aria-hidden />} title={t("notSetUp.title")}>
          {t("notSetUp.advice")}
        </Alert>
      )}
      <Text size="sm">{t("address", { email: chosen.email })}</Text>
      <Checkbox.Group label={t("kinds")} value={kinds} onChange={setKinds}>
        <Stack gap="xs" mt="xs">
          {offered.map((kind) => (
            <Checkbox key={kind} value={kind} label={t(`words:waiting.${kind}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group>
        <Select
          label={t("interval")}
          allowDeselect={false}
          data={intervals.map(([value, name]) => ({ value: String(value), label: t(`intervals.${name}`) }))}
          value={String(minutes)}
          onChange={(value) => setMinutes(intervals.find(([interval]) => String(interval) === value)?.[0] ?? minutes)}
        />
        <Select
          label={t("common:language")}
          allowDeselect={false}
          data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          value={language}
          onChange={(value) => setLanguage(value === "zh" ? "zh" : "en")}
        />
      </Group>
      <FailureAlert error={save.error} />
      <Button
        style={{ alignSelf: "flex-start" }}
        loading={save.isPending}
        onClick={() =>
          save.mutate(
            { kinds: offered.filter((kind) => kinds.includes(kind)), minutes, language },
            { onSuccess: () => notify(t("common:saved")) },
          )
        }
      >
        {t("common:save")}
      </Button>
    </Stack>
  );
}

export function Component() {
  const { t } = useTranslation(["notices", "common"]);
  const notices = useAdmin("/adminapi/me/notices");
  const waiting = useWaiting();
  return (
    <Page title={t("common:notices")} about={t("about")}>
      <QueryResult of={notices}>
        {(chosen) => (
          <QueryResult of={waiting}>
            {({ list }) => <Choices chosen={chosen} offered={list.map(({ kind }) => kind)} />}
          </QueryResult>
        )}
      </QueryResult>
    </Page>
  );
}
