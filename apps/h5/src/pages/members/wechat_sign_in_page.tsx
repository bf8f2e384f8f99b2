import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate } from "react-router";
import { unwrap } from "../../../../client/index.ts";
import { FailureBox } from "../../components/failure_box.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { forgetReferrer, referrer } from "../../session/referrer.ts";
import { useSession } from "../../session/session_context.ts";
import { forgetWechatReturn, wechatReturn } from "../../session/wechat.ts";
import { WechatButton } from "../../session/wechat_button.tsx";
import { useStore, useWechatAppid } from "../../store/store.ts";

/**
 * Where WeChat leads back to: exchanges its code for a session. A code works once, so another attempt begins at WeChat.
 */
export function Component() {
  const { t } = useTranslation("session");
  const session = useSession();
  const api = useStore();
  const appid = useWechatAppid();
  const [back] = useState(wechatReturn);
  const signIn = useMutation({
    networkMode: "always",
    mutationFn: async (code: string) => {
      const spread = referrer();
      const body = { code, ...(appid && { appid }), ...(spread && { spread }) };
      // Without a token: the API also rejects a public request with an invalid one.
      const tokens = await unwrap(api.POST("/api/auth/wechat", { body, headers: { authorization: undefined } }));
      forgetReferrer();
      await session.begin(tokens);
      forgetWechatReturn();
    },
  });
  const hasBegun = useRef(false);
  const { mutate } = signIn;
  useEffect(() => {
    if (!back || hasBegun.current) return;
    hasBegun.current = true;
    mutate(back.code);
  }, [back, mutate]);

  // A session that the store has rejected looks like one that stands, so it does not count.
  if (signIn.isSuccess || !back) return <Navigate to={back?.target ?? "/sign-in"} replace />;
  return (
    <Page title={t("signIn")} back="/">
      {signIn.isError ? (
        <div className={layout.stack}>
          <FailureBox error={signIn.error} />
          <WechatButton target={back.target} />
          <p className="center">
            <Link to={`/sign-in?to=${encodeURIComponent(back.target)}`} replace>
              {t("wechat.otherWay")}
            </Link>
          </p>
        </div>
      ) : (
        <Loading />
      )}
    </Page>
  );
}
