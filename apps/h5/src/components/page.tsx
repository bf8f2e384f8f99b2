import { ChevronLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useSite } from "../app/site.ts";
import { IconButton } from "./icon_button.tsx";
import styles from "./page.module.css";

interface PageProps {
  title: string;
  /**
   * The address to which the back button leads if the page was opened by its address. Pages of tabs have no back
   * button.
   */
  back?: string;
  /** Content at the right of the header. */
  action?: ReactNode;
  /** Shown instead of the text of the title, which is then for screen readers only. */
  head?: ReactNode;
  /** The main action of the page, which stays at the bottom of the window. */
  foot?: ReactNode;
  children: ReactNode;
}

/** Leaves a page for the one from which it was opened. @param to where to go if the page was opened by its address */
export function useLeave(to: string): () => void {
  const navigate = useNavigate();
  return () => {
    // The router numbers the pages of this visit.
    const { idx } = (history.state ?? {}) as { idx?: number };
    if (idx) void navigate(-1);
    else void navigate(to, { replace: true });
  };
}

function BackButton({ to }: { to: string }) {
  const { t } = useTranslation("common");
  return <IconButton label={t("back")} icon={ChevronLeft} size={26} onClick={useLeave(to)} />;
}

/** The frame of every page. The title is also the title of the browser tab, and receives the focus. */
export function Page({ title, back, action, head, foot, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const name = useSite()?.site_name;
  useEffect(() => {
    document.title = name && name !== title ? `${title} · ${name}` : title;
  }, [title, name]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <>
      <header className={styles.head}>
        <div className={styles.side}>{back !== undefined && <BackButton to={back} />}</div>
        <h1 ref={heading} tabIndex={-1} className={head ? styles.branded : undefined}>
          {head ?? title}
        </h1>
        <div className={styles.sideEnd}>{action}</div>
      </header>
      <main id="content" className={foot ? styles.pageWithFoot : styles.page}>
        {children}
        {foot && <footer className={styles.foot}>{foot}</footer>}
      </main>
    </>
  );
}
