import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import layout from "../components/layout.module.css";
import { useWechatAppid } from "../store/store.ts";
import { WechatButton } from "./wechat_button.tsx";

/** Inside WeChat, its button stands above the form. */
export function WaysToSignIn({ target, children }: { target: string; children: ReactNode }) {
  const { t } = useTranslation("session");
  const isWechatOffered = useWechatAppid() !== undefined;
  return (
    <>
      <WechatButton target={target} />
      {isWechatOffered && <p className="center weak">{t("wechat.or")}</p>}
      <div className={layout.card}>{children}</div>
    </>
  );
}
