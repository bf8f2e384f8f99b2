import { Alert, Button, Code, Group, List, Stack, Text, Textarea } from "@mantine/core";
import { useDeferredValue, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { lossesOf } from "./losses.ts";

/** As many as anybody reads. */
const mostNames = 30;

interface SourceFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Opens the text in the editor, with all losses that are shown. */
  onOpenEditor: () => void;
}

/** The HTML of a text, with what saving it would remove, and what the editor cannot hold. */
export function SourceField({ label, value, onChange, onOpenEditor }: SourceFieldProps) {
  const { t } = useTranslation("writing");
  const settled = useDeferredValue(value);
  const { bySaving, byEditor, isChanged, isTooDeep } = useMemo(() => lossesOf(settled), [settled]);
  const isHeld = !isChanged && bySaving.length === 0;
  return (
    <Stack gap="xs" mt={4}>
      {isTooDeep && <Alert color="red">{t("tooDeep")}</Alert>}
      {bySaving.length > 0 && (
        <Alert color="yellow" title={t("removed")}>
          <Names of={bySaving} />
        </Alert>
      )}
      {isChanged && !isTooDeep && (
        <Alert color="blue" title={t("lost")}>
          {byEditor.length > 0 ? <Names of={byEditor} /> : <Text size="sm">{t("lostOrder")}</Text>}
        </Alert>
      )}
      <Textarea
        aria-label={t("html", { label })}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        autosize
        minRows={8}
        maxRows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: "monospace" } }}
      />
      {!isTooDeep && (
        <Group>
          <Button variant="default" size="xs" onClick={onOpenEditor}>
            {t(isHeld ? "openEditor" : "convert")}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Names({ of: names }: { of: string[] }) {
  return (
    <List size="sm" listStyleType="none">
      {names.slice(0, mostNames).map((name) => (
        <List.Item key={name}>
          <Code>{name}</Code>
        </List.Item>
      ))}
      {names.length > mostNames && <List.Item>…</List.Item>}
    </List>
  );
}
