import { useTranslation } from "react-i18next";
import { Link, Navigate } from "react-router";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { useTarget } from "../../session/after_sign_in.ts";
import { PhoneForm } from "../../session/phone_form.tsx";
import { useIsMember } from "../../session/session_context.ts";
import { ReadingGate } from "../articles/reading_gate.tsx";
import { Welcome } from "./welcome.tsx";

/** Signs in, or up, by phone. */
export function Component() {
  const { t } = useTranslation("session");
  const { target, search } = useTarget();
  if (useIsMember()) return <Navigate to={target} replace />;
  return (
    <ReadingGate back="/">
      <Page title={t("signIn")} back={`/sign-in${search}`}>
        <div className={layout.stack}>
          <Welcome />
          <div className={layout.card}>
            <PhoneForm />
          </div>
          <p className="center">
            <Link to={`/sign-in${search}`} replace>
              {t("wechat.otherWay")}
            </Link>
          </p>
        </div>
      </Page>
    </ReadingGate>
  );
}
