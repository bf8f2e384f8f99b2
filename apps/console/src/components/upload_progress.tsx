import { Progress, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { FailureAlert } from "./failure_alert.tsx";
import type { PictureUploads } from "./use_picture_uploads.ts";

/** How far the uploads of a field are, and why the last one failed. */
export function UploadProgress({ uploads, failure }: Pick<PictureUploads, "uploads" | "failure">) {
  const { t } = useTranslation("common");
  return (
    <>
      {uploads.map(({ id, name, part }) => (
        <div key={id}>
          <Text size="xs">{name}</Text>
          <Progress value={part * 100} aria-label={t("pictures.uploading", { name })} />
        </div>
      ))}
      <FailureAlert error={failure} />
    </>
  );
}
