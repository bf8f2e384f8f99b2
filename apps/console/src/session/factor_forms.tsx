import { Button, Code, Image, Paper, Stack, Text, TextInput } from "@mantine/core";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSiteName } from "../store/site_name.ts";
import type { SessionFailure } from "./auth.ts";
import type { NewFactor } from "./factors.ts";
import { useSession } from "./session_context.ts";
import { SessionFailureAlert } from "./session_failure_alert.tsx";

/** Takes the present code of an authenticator app. */
export function CodeForm({ factor, onDone }: { factor: string; onDone: () => void }) {
  const { t } = useTranslation("session");
  const { factors } = useSession();
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState<SessionFailure>();
  const [waiting, setWaiting] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The form appears when the dialog has been open for a moment.
  useEffect(() => field.current?.focus(), []);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setWaiting(true);
    const result = await factors.verify(factor, code);
    setWaiting(false);
    setFailure(result);
    if (result) setCode("");
    else onDone();
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <SessionFailureAlert failure={failure} />
        <TextInput
          name="code"
          label={t("factor.code")}
          description={t("factor.codeHint")}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={6}
          ref={field}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value.replaceAll(/\D/g, ""))}
        />
        <Button type="submit" loading={waiting} disabled={code.length !== 6}>
          {t("factor.confirm")}
        </Button>
      </Stack>
    </form>
  );
}

/** Sets a second factor up: shows it to an authenticator app, and takes the first code. */
export function NewFactorForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation("session");
  const { factors } = useSession();
  const issuer = useSiteName() ?? t("title");
  const [begun, setBegun] = useState<NewFactor>();
  const [failure, setFailure] = useState<SessionFailure>();
  const [waiting, setWaiting] = useState(false);

  async function begin() {
    setWaiting(true);
    const result = await factors.begin(issuer);
    setWaiting(false);
    if (typeof result === "string") setFailure(result);
    else setBegun(result);
  }

  if (!begun)
    return (
      <Stack>
        <SessionFailureAlert failure={failure} />
        <Text size="sm">{t("factor.meaning")}</Text>
        <Button loading={waiting} onClick={() => void begin()}>
          {t("factor.begin")}
        </Button>
      </Stack>
    );
  return (
    <Stack>
      <Text size="sm">{t("factor.scan")}</Text>
      <Paper bg="white" p="xs" w={220} mx="auto">
        <Image src={begun.qrCode} alt={t("factor.picture")} w={200} h={200} />
      </Paper>
      <Text size="sm">
        {t("factor.secret")} <Code style={{ overflowWrap: "anywhere" }}>{begun.secret}</Code>
      </Text>
      <CodeForm factor={begun.id} onDone={onDone} />
    </Stack>
  );
}
