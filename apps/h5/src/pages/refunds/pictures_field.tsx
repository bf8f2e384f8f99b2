import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { mostRefundPictures, type PrivatePicture } from "../../../../client/pictures.ts";
import { usePastedFiles } from "../../../../shared/use_pasted_files.ts";
import { FailureBox } from "../../components/failure_box.tsx";
import { FileButton } from "../../components/file_button.tsx";
import { IconButton } from "../../components/icon_button.tsx";
import { Picture } from "../../components/picture.tsx";
import { ProgressBar } from "../../components/progress_bar.tsx";
import { useUploadPicture } from "../../store/store.ts";
import styles from "./pictures.module.css";

/** The pictures of a request that is being written. They are uploaded one after the other, when they are chosen. */
export function usePictures() {
  const uploadPicture = useUploadPicture();
  const [chosen, setChosen] = useState<PrivatePicture[]>([]);
  const [part, setPart] = useState(0);
  const upload = useMutation({
    networkMode: "always",
    mutationFn: async (files: File[]) => {
      for (const file of files) {
        setPart(0);
        const picture = await uploadPicture("refund", file, setPart);
        setChosen((before) => [...before, picture]);
      }
    },
  });
  return {
    chosen,
    part,
    upload,
    add: (files: FileList | null) => {
      const taken = [...(files ?? [])].slice(0, mostRefundPictures - chosen.length);
      if (taken.length > 0 && !upload.isPending) upload.mutate(taken);
    },
    remove: (id: string) => setChosen((before) => before.filter((picture) => picture.id !== id)),
  };
}

/** Chooses, takes or pastes pictures of what is wrong with the goods. */
export function PicturesField({ of: { chosen, part, upload, add, remove } }: { of: ReturnType<typeof usePictures> }) {
  const { t } = useTranslation("refunds");
  const field = useRef<HTMLDivElement>(null);
  usePastedFiles(field, add);
  return (
    <div ref={field} className={styles.field} role="group" aria-label={t("pictures")}>
      <span>{t("pictures")}</span>
      {chosen.length > 0 && (
        <ul className={styles.strip}>
          {chosen.map(({ id, small_url }, at) => (
            <li key={id}>
              <span className={styles.picture}>
                <Picture src={small_url} alt={t("picture", { number: at + 1 })} />
              </span>
              <IconButton
                label={t("removePicture", { number: at + 1 })}
                icon={Trash2}
                size={18}
                onClick={() => remove(id)}
              />
            </li>
          ))}
        </ul>
      )}
      {chosen.length < mostRefundPictures && (
        <FileButton disabled={upload.isPending} multiple onChoose={add}>
          {t("addPicture")}
        </FileButton>
      )}
      <span className="weak">{t("picturesHint", { most: mostRefundPictures })}</span>
      {upload.isPending && <ProgressBar label={t("uploading")} value={part} target={1} />}
      <FailureBox error={upload.error} />
    </div>
  );
}
