import {
  Bell,
  ChartNoAxesCombined,
  Coins,
  KeyRound,
  LogOut,
  MapPin,
  Medal,
  ReceiptText,
  RefreshCw,
  Share2,
  ShieldCheck,
  TrendingUp,
  UserRound,
  Wallet,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { colorSchemes, useColorScheme } from "../../app/color_scheme.ts";
import { BalanceCard, Balances } from "../../components/balance_card.tsx";
import { Choices } from "../../components/choices.tsx";
import { BriefPoints, Money } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { Menu, MenuButton, MenuLink } from "../../components/menu.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { type Language, languages } from "../../../../shared/languages.ts";
import { chooseLanguage } from "../../i18n/index.ts";
import { useSession, useSessionState } from "../../session/session_context.ts";
import { useApi } from "../../store/store.ts";
import { useLevelName } from "../levels/level_name.ts";
import { useUnread } from "../notices/unread.ts";
import { OpenOrders } from "../orders/open_orders.tsx";
import { FirstSteps } from "../prospects/first_steps.tsx";
import { Contact } from "../system/contact.tsx";
import styles from "./me_page.module.css";
import { MemberPicture } from "./member_picture.tsx";

function Card({ me, assets }: { me: Api["Me"]; assets: Api["AssetOverview"] | undefined }) {
  const { t } = useTranslation("members");
  const levelName = useLevelName(me.agent_level);
  return (
    <BalanceCard label={t("card")}>
      <div className={styles.head}>
        <MemberPicture member={me} />
        <div className={layout.grow}>
          <p className={styles.name}>{me.nickname}</p>
          <p className={styles.number}>{t("uid", { uid: me.uid })}</p>
          {(levelName !== undefined || me.agent_level > 0) && (
            <Link to="/levels" className={styles.level}>
              <Medal size={16} aria-hidden /> {levelName ?? "…"}
            </Link>
          )}
        </div>
      </div>
      <div className={styles.commission}>
        <div>
          <p className={styles.number}>{t("brokerage")}</p>
          <p className={styles.amount}>{assets ? <Money value={assets.brokerage_price} /> : "–"}</p>
        </div>
        <LinkButton look="inverse" to="/withdrawals">
          {t("withdraw")}
        </LinkButton>
      </div>
      <Balances
        items={[
          [t("frozenPoints"), assets ? <BriefPoints key="frozen" value={assets.frozen_points} /> : "–"],
          [t("availablePoints"), assets ? <BriefPoints key="available" value={assets.available_points} /> : "–"],
          [t("todayRelease"), assets ? <BriefPoints key="today" value={assets.today_release} signed /> : "–"],
        ]}
      />
    </BalanceCard>
  );
}

function Preferences() {
  const { t, i18n } = useTranslation(["members", "common"]);
  const [scheme, chooseScheme] = useColorScheme();
  return (
    <Section title={t("preferences")}>
      <div className={styles.preference}>
        <span>{t("common:language")}</span>
        <Choices
          label={t("common:language")}
          values={Object.keys(languages) as Language[]}
          value={i18n.language as Language}
          wraps
          nameOf={(language) => languages[language]}
          onChange={(language) => void chooseLanguage(language).catch(() => notify(t("common:notLoaded.title")))}
        />
      </div>
      <div className={styles.preference}>
        <span>{t("scheme.label")}</span>
        <Choices
          label={t("scheme.label")}
          values={colorSchemes}
          value={scheme}
          wraps
          nameOf={(each) => t(`scheme.${each}`)}
          onChange={chooseScheme}
        />
      </div>
    </Section>
  );
}

function SignOut() {
  const { t } = useTranslation(["members", "common"]);
  const session = useSession();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const signOut = async () => {
    await navigate("/", { replace: true });
    await session.signOut();
  };
  return (
    <>
      <Menu>
        <MenuButton icon={LogOut} label={t("signOut.action")} onClick={() => setAsked(true)} />
      </Menu>
      {isAsked && (
        <Sheet title={t("signOut.title")} onClose={() => setAsked(false)}>
          <div className={layout.buttonRow}>
            <LinkButton look="plain" onClick={() => setAsked(false)}>
              {t("common:cancel")}
            </LinkButton>
            <LinkButton onClick={() => void signOut()}>{t("signOut.action")}</LinkButton>
          </div>
        </Sheet>
      )}
    </>
  );
}

/** The member's balances, and links to all other pages. */
export function Component() {
  const { t } = useTranslation(["members", "session"]);
  const session = useSessionState();
  const me = useApi("/api/user");
  const assets = useApi("/api/hjf/assets/overview");
  const unread = useUnread();
  return (
    <Page title={t("title")}>
      <Refreshable>
        <div className={layout.tabbed}>
          <QueryResult of={me}>{(shown) => <Card me={shown} assets={assets.data} />}</QueryResult>
          {assets.data && <FirstSteps progress={assets.data.progress} />}
          <OpenOrders />
          <QueryResult of={assets} rows={3}>
            {({ progress, withdrawable }) => (
              <Menu label={t("earnings")}>
                <MenuLink
                  icon={Wallet}
                  to="/withdrawals"
                  label={t("commission")}
                  value={<Money value={withdrawable} />}
                />
                <MenuLink
                  icon={RefreshCw}
                  to="/cycle"
                  label={t("cycle")}
                  value={t("places", { current: progress.cycle_current, all: progress.people_per_cycle })}
                />
                <MenuLink icon={TrendingUp} to="/prospects" label={t("prospects")} />
                <MenuLink icon={Coins} to="/points" label={t("points")} />
                <MenuLink icon={ReceiptText} to="/bill" label={t("bill")} />
                <MenuLink icon={ChartNoAxesCombined} to="/levels" label={t("levels")} />
                <MenuLink icon={Share2} to="/poster" label={t("poster")} />
              </Menu>
            )}
          </QueryResult>
          <Menu label={t("account")}>
            <MenuLink
              icon={Bell}
              to="/notices"
              label={t("notices")}
              {...(unread !== undefined && { value: t("unread", { unread }) })}
            />
            <MenuLink icon={UserRound} to="/me/profile" label={t("profile.title")} />
            <MenuLink icon={MapPin} to="/addresses" label={t("addresses")} />
            {session.kind !== "signed_out" && !session.account.isOfWechat && session.account.phone === "" && (
              <MenuLink icon={KeyRound} to="/me/password" label={t("session:newPassword.change")} />
            )}
            <MenuLink icon={ShieldCheck} to="/me/security" label={t("security.title")} />
          </Menu>
          <Contact />
          <Preferences />
          <SignOut />
          {/* The build writes the file. */}
          <a className={styles.licences} href="./THIRD_PARTY_NOTICES.txt">
            {t("licences")}
          </a>
        </div>
      </Refreshable>
    </Page>
  );
}
