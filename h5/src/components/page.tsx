import { ChevronLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useSite } from "../app/site.ts";

interface PageProps {
  title: string;
  /** Where the back button leads if the page was opened by its address. Pages of the tabs have none. */
  back?: string;
  /** At the right of the head. */
  action?: ReactNode;
  /** In place of the title's text, which then is only read out. */
  head?: ReactNode;
  /** What stays at the foot of the window: the main action of the page. */
  foot?: ReactNode;
  children: ReactNode;
}

function BackButton({ to }: { to: string }) {
  const { t } = useTranslation("common");
  const navigate = useNavigate();
  const leave = () => {
    // The router counts the pages of this visit.
    const { idx } = (history.state ?? {}) as { idx?: number };
    if (idx) void navigate(-1);
    else void navigate(to, { replace: true });
  };
  return <button type="button" className="icon-button" aria-label={t("back")} onClick={leave}><ChevronLeft size={26} aria-hidden /></button>;
}

/** The frame of every page: its title names the window, and is where a screen reader begins. */
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
      <header className="page-head">
        <div className="page-head-side">{back !== undefined && <BackButton to={back} />}</div>
        <h1 ref={heading} tabIndex={-1} className={head ? "branded" : undefined}>{head ?? title}</h1>
        <div className="page-head-side end">{action}</div>
      </header>
      <main id="content" className={foot ? "page with-foot" : "page"}>
        {children}
        {foot && <div className="page-foot">{foot}</div>}
      </main>
    </>
  );
}
