import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePastedFiles } from "../../../../shared/use_pasted_files.ts";
import { Button } from "../../components/button.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { FileButton } from "../../components/file_button.tsx";
import { ProgressBar } from "../../components/progress_bar.tsx";
import { useUploadPicture } from "../../store/store.ts";
import styles from "./avatar_field.module.css";
import { MemberPicture } from "./member_picture.tsx";

interface AvatarFieldProps {
  nickname: string;
  /** The address of the picture; empty for none. */
  value: string;
  onChange: (value: string) => void;
}

/** The picture of the member, which they choose, take or paste. */
export function AvatarField({ nickname, value, onChange }: AvatarFieldProps) {
  const { t } = useTranslation("members");
  const field = useRef<HTMLDivElement>(null);
  const uploadPicture = useUploadPicture();
  const [part, setPart] = useState(0);
  const upload = useMutation({
    networkMode: "always",
    mutationFn: (file: File) => uploadPicture("avatar", file, setPart),
    // The small file: an avatar is never shown larger.
    onSuccess: ({ small_url }) => onChange(small_url),
  });
  const send = (files: FileList | null) => {
    const file = files?.[0];
    if (!file || upload.isPending) return;
    setPart(0);
    upload.mutate(file);
  };
  usePastedFiles(field, send);

  return (
    <div ref={field} className={styles.field} role="group" aria-label={t("profile.avatar")}>
      <MemberPicture member={{ nickname, avatar: value || null }} />
      <div className={styles.choice}>
        <FileButton disabled={upload.isPending} onChoose={send}>
          {t("profile.choose")}
        </FileButton>
        {value !== "" && (
          <Button fill="none" size="small" onClick={() => onChange("")}>
            {t("profile.removeAvatar")}
          </Button>
        )}
      </div>
      <div className={styles.outcome}>
        {upload.isPending && <ProgressBar label={t("profile.uploading")} value={part} target={1} />}
        <FailureBox error={upload.error} />
      </div>
    </div>
  );
}
