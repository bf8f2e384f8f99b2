import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { Button } from "../components/button.tsx";
import layout from "../../../shared/member_styles/layout.module.css";
import { Sheet } from "../components/sheet.tsx";
import { PhoneForm } from "./phone_form.tsx";
import type { Account } from "./session.ts";
import { useSession } from "./session_context.ts";
import { SignInForm } from "./sign_in_form.tsx";
import { WechatButton } from "./wechat_button.tsx";

/** The sign-in sheet above the open page, so that its input is not lost. */
export default function ExpiredSheet({ account }: { account: Account }) {
  const { t } = useTranslation("session");
  const session = useSession();
  const { pathname, search } = useLocation();
  return (
    <Sheet title={t("expired.title")}>
      <div className={layout.stack}>
        <p>{t("expired.advice")}</p>
        {account.isOfWechat ? (
          <WechatButton target={pathname + search} />
        ) : account.phone === "" ? (
          <SignInForm email={account.email} />
        ) : (
          <PhoneForm phone={account.phone} />
        )}
        <Button block fill="none" onClick={() => void session.signOut()}>
          {t("otherAccount")}
        </Button>
      </div>
    </Sheet>
  );
}
