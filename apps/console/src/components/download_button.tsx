import { Button, type ButtonProps, Group, Loader, Text } from "@mantine/core";
import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Reply } from "../../../client/calls.ts";
import { readFile, saveFile } from "../../../shared/read_file.ts";
import { FailureAlert } from "./failure_alert.tsx";
import { formatSize } from "./figures.tsx";
import { notify } from "./notify.ts";

/** The formats of a file that is offered in both. */
export const fileFormats = ["csv", "xlsx"] as const;

interface DownloadButtonProps extends Pick<ButtonProps, "size"> {
  label: string;
  /** For screen readers, where the label alone is ambiguous. */
  description?: string;
  /** The name of the saved file. */
  name: string;
  /** Requests the file as a stream. */
  request: (signal: AbortSignal) => Promise<Reply<unknown>>;
}

/** Downloads a file that the store writes while it is read. Shows how much has arrived, and can be stopped. */
export function DownloadButton({ label, description = label, name, request, size }: DownloadButtonProps) {
  const { t } = useTranslation("common");
  const [bytes, setBytes] = useState<number>();
  const [error, setError] = useState<unknown>(null);
  const [isIncomplete, setIsIncomplete] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  async function run() {
    const { signal } = (stop.current = new AbortController());
    let received = 0;
    setBytes(0);
    setError(null);
    try {
      const file = await readFile(request(signal), (bytesSoFar) => setBytes((received = bytesSoFar)));
      saveFile(file, name);
      notify(t("download.done", { name }));
    } catch (problem) {
      if (signal.aborted) return;
      setError(problem);
      setIsIncomplete(received > 0);
    } finally {
      setBytes(undefined);
    }
  }

  return (
    <>
      {bytes === undefined ? (
        <Button
          variant="default"
          size={size}
          leftSection={<Download size={16} aria-hidden />}
          aria-label={description}
          // In a narrow window, a long label needs two lines.
          {...(size === undefined && { h: "auto", mih: 36, styles: { label: { whiteSpace: "normal" as const } } })}
          onClick={() => void run()}
        >
          {label}
        </Button>
      ) : (
        <Group gap="xs" role="status" aria-label={description}>
          <Loader size="xs" aria-hidden />
          <Text size="sm" className="figures">
            {t("download.progress", { size: formatSize(bytes) })}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${t("download.stop")}: ${description}`}
            onClick={() => stop.current?.abort()}
          >
            {t("download.stop")}
          </Button>
        </Group>
      )}
      <FailureAlert error={error} />
      {Boolean(error) && isIncomplete && <Text size="sm">{t("download.incomplete")}</Text>}
    </>
  );
}
