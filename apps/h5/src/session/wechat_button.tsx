import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { useWechatAppid } from "../store/store.ts";
import { visitWechat } from "./wechat.ts";

/** Signs in, or up, as the user of WeChat. Only inside WeChat, where the store has a service account. */
export function WechatButton({ target }: { target: string }) {
  const { t } = useTranslation("session");
  const appid = useWechatAppid();
  const [isLeaving, setLeaving] = useState(false);
  if (appid === undefined) return null;
  const leave = () => {
    setLeaving(true);
    visitWechat(appid, target);
  };
  return (
    <Button block color="primary" size="large" shape="rounded" loading={isLeaving} onClick={leave}>
      {t("wechat.signIn")}
    </Button>
  );
}
