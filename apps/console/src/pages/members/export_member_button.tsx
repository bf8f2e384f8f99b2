import { useTranslation } from "react-i18next";
import { Allowed } from "../../components/allowed.tsx";
import { DownloadButton } from "../../components/download_button.tsx";
import { useStore } from "../../store/store.ts";

/** Downloads everything that the store knows about a member, for a member who asks for their data. */
export function ExportMemberButton({ uid }: { uid: number }) {
  const { t } = useTranslation("members");
  const { admin } = useStore();
  return (
    <Allowed area="money">
      <DownloadButton
        label={t("exportAll")}
        name={`member_${uid}.json`}
        request={(signal) =>
          admin.POST("/adminapi/user/{uid}/export", { params: { path: { uid } }, signal, parseAs: "stream" })
        }
      />
    </Allowed>
  );
}
