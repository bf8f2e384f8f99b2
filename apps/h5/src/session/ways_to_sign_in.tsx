import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslation } from "react-i18next";
import layout from "../../../shared/member_styles/layout.module.css";
import { usePhoneSignIn, useWechatAppid } from "../store/store.ts";
import { WechatButton } from "./wechat_button.tsx";

/** Inside WeChat, its button stands above the form. Where the store sends codes, a link to them stands below. */
export function WaysToSignIn({ target, children }: { target: string; children: ReactNode }) {
  const { t } = useTranslation("session");
  const isWechatOffered = useWechatAppid() !== undefined;
  const isPhoneOffered = usePhoneSignIn();
  return (
    <>
      <WechatButton target={target} />
      {isWechatOffered && <p className="center weak">{t("wechat.or")}</p>}
      <div className={layout.card}>{children}</div>
      {isPhoneOffered && (
        <p className="center">
          <Link to={`/sign-in/phone${target === "/" ? "" : `?to=${encodeURIComponent(target)}`}`} replace>
            {t("phone.link")}
          </Link>
        </p>
      )}
    </>
  );
}
