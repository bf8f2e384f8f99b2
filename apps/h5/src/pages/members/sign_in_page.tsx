import { useTranslation } from "react-i18next";
import { Link, Navigate } from "react-router";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { SiteFiling } from "../../components/site_filing.tsx";
import { useTarget } from "../../session/after_sign_in.ts";
import { useIsMember } from "../../session/session_context.ts";
import { SignInForm } from "../../session/sign_in_form.tsx";
import { WaysToSignIn } from "../../session/ways_to_sign_in.tsx";
import { ReadingGate } from "../articles/reading_gate.tsx";
import { Welcome } from "./welcome.tsx";

export function Component() {
  const { t } = useTranslation("session");
  const { target, search } = useTarget();
  if (useIsMember()) return <Navigate to={target} replace />;
  return (
    <ReadingGate back="/">
      <Page title={t("signIn")} back="/">
        <div className={layout.stack}>
          <Welcome />
          <WaysToSignIn target={target}>
            <SignInForm />
          </WaysToSignIn>
          <p className="center">
            {t("noAccount")}{" "}
            <Link to={`/sign-up${search}`} replace>
              {t("signUp")}
            </Link>
          </p>
          <SiteFiling />
        </div>
      </Page>
    </ReadingGate>
  );
}
