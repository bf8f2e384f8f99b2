import { useMutation } from "@tanstack/react-query";
import { Download, MessageSquareText, UserRoundX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { readFile, saveFile } from "../../../../shared/read_file.ts";
import { Button } from "../../components/button.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Menu, MenuLink } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { useStore } from "../../store/store.ts";
import { Sessions } from "./sessions.tsx";
import "../../i18n/later.ts";

/** Lets the browser save what the store knows about the member. */
function MyData() {
  const { t } = useTranslation("members");
  const api = useStore();
  const download = useMutation({
    networkMode: "always",
    mutationFn: () => readFile(api.POST("/api/user/export", { parseAs: "stream" })),
    onSuccess: (file) => saveFile(file, "my_data.json"),
  });
  return (
    <Section title={t("security.data")}>
      <div className={layout.stack}>
        <p>{t("security.dataText")}</p>
        <FailureBox error={download.error} />
        <Button block loading={download.isPending} onClick={() => download.mutate()}>
          <Download size={18} aria-hidden /> {t("security.download")}
        </Button>
      </div>
    </Section>
  );
}

/** Where the member is signed in, their data, and the way out. */
export function Component() {
  const { t } = useTranslation(["members", "person_requests"]);
  return (
    <Page title={t("security.title")} back="/me">
      <div className={layout.stack}>
        <Sessions />
        <MyData />
        <Menu>
          <MenuLink icon={MessageSquareText} to="/me/requests" label={t("person_requests:title")} />
          <MenuLink icon={UserRoundX} to="/me/deletion" label={t("deletion.title")} />
        </Menu>
      </div>
    </Page>
  );
}
