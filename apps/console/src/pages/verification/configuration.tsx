import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { CircleCheck, RotateCw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { useAdmin } from "../../store/store.ts";
import { findingWords } from "./finding_words.ts";

type Finding = Admin["Finding"];

const column = columnsOf<Finding>();

const severities = ["error", "warning", "hint", "ok"] as const;
const colors = { error: "red", warning: "orange", hint: "blue", ok: "green" };

function Findings({ severity, findings }: { severity: Finding["severity"]; findings: Finding[] }) {
  const { t } = useTranslation(["verification", "words"]);
  const texts = (key: "subject" | "message" | "hint", title: string, overflowWrap?: "anywhere") =>
    column.text(key, title, {
      cell: (finding) => (
        <Text size="sm" style={{ whiteSpace: "normal", overflowWrap }}>
          {findingWords(finding[key])}
        </Text>
      ),
      csv: (finding) => findingWords(finding[key]),
    });
  const columns = [
    column.words("check", t("check"), ({ check_id }) => t(`names.${check_id}` as never, { defaultValue: check_id })),
    texts("subject", t("subject"), "anywhere"),
    texts("message", t("message"), "anywhere"),
    ...(severity === "ok" ? [] : [texts("hint", t("hint"))]),
  ];
  if (findings.length === 0) return null;
  const title = t(`severity.${severity}`);
  return (
    <Section title={title} actions={<Tag color={colors[severity]}>{findings.length}</Tag>}>
      <PlainTable
        label={title}
        columns={columns}
        rows={findings}
        rowId={({ check_id, subject }) => `${check_id} ${subject}`}
        exportAs={`findings ${severity}`}
      />
    </Section>
  );
}

/** The result in one sentence. A warning is not "in order", a hint is. */
function Result({ ok, list }: { ok: boolean; list: Finding[] }) {
  const { t } = useTranslation("verification");
  const warnings = list.filter(({ severity }) => severity === "warning").length;
  const [color, title] = !ok
    ? ["red", t("bad")]
    : warnings > 0
      ? ["orange", t("warned", { count: warnings })]
      : ["green", t("good")];
  const Icon = color === "green" ? CircleCheck : TriangleAlert;
  return <Alert role="status" color={color} icon={<Icon size={18} aria-hidden />} title={title} />;
}

export function Configuration() {
  const { t } = useTranslation("verification");
  // Runs when the page is opened and on request, not when the window receives the focus.
  const { data, error, isFetching, refetch } = useAdmin(
    "/adminapi/hjf/verify_agent_config",
    {},
    { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
  );
  return (
    <Stack aria-busy={isFetching}>
      <Group justify="space-between" align="flex-start">
        <Text c="dimmed" size="sm" maw={720}>
          {t("about")}
        </Text>
        <Button
          variant="default"
          leftSection={<RotateCw size={16} aria-hidden />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          {t("run")}
        </Button>
      </Group>
      {!data && isFetching && (
        <Text role="status">
          <Loader size="xs" mr="xs" />
          {t("running")}
        </Text>
      )}
      <FailureAlert error={error} onRetry={() => void refetch()} />
      {data && (
        <>
          <Result ok={data.ok} list={data.list} />
          {severities.map((severity) => (
            <Findings
              key={severity}
              severity={severity}
              findings={data.list.filter((finding) => finding.severity === severity)}
            />
          ))}
        </>
      )}
    </Stack>
  );
}
