import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router";
import { load } from "../../../shared/load_page.ts";
import { StoreCard } from "../pages/posters/share_button.tsx";
import { useSessionState } from "../session/session_context.ts";
import { isInWechat } from "../session/wechat.ts";
import { formatTime } from "../components/time.tsx";
import { useTimeOfData } from "./kept_data.tsx";
import styles from "./shell.module.css";
import { useSite } from "./site.ts";
import { TabBar, tabs } from "./tab_bar.tsx";

const ExpiredSheet = lazy(load(() => import("../session/expired_sheet.tsx")));

/** The routes of pages with a button to share them. */
const hasOwnCard = /^\/($|(products|articles)\/)/;

function useIsOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    addEventListener("online", update);
    addEventListener("offline", update);
    return () => {
      removeEventListener("online", update);
      removeEventListener("offline", update);
    };
  }, []);
  return isOnline;
}

/**
 * The layout around every page: the notice of a lost connection, the tabs, and the sheet for a session that has ended.
 */
export function Shell() {
  const { t } = useTranslation("common");
  const { pathname } = useLocation();
  const isLoading = useNavigation().state === "loading";
  const isOnline = useIsOnline();
  const shownSince = useTimeOfData();
  const session = useSessionState();
  useSite();

  return (
    <div className={styles.app}>
      <a
        className={styles.skipLink}
        href="#content"
        onClick={(event) => {
          // The part behind `#` is the route.
          event.preventDefault();
          document.querySelector<HTMLElement>("h1")?.focus();
        }}
      >
        {t("skipToContent")}
      </a>
      {isLoading && (
        // Outside the page's landmarks, assistive technology finds only live regions.
        <div role="status">
          <div className={styles.loadBar} role="progressbar" aria-label={t("loading")} />
        </div>
      )}
      {!isOnline && (
        <div className={styles.offline} role="status">
          {shownSince === undefined ? t("offline") : t("offlineSince", { time: formatTime(shownSince) })}
        </div>
      )}
      <Outlet />
      {isInWechat && !hasOwnCard.test(pathname) && <StoreCard />}
      {tabs.some(({ route }) => route === pathname) && <TabBar />}
      {session.kind === "expired" && (
        <Suspense>
          <ExpiredSheet account={session.account} />
        </Suspense>
      )}
      <ScrollRestoration />
    </div>
  );
}
