import { ChevronLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useSite } from "../app/site.ts";

interface PageProps {
  title: string;
  /** The address to which the back button leads if the page was opened by its address. Pages of tabs have no back button. */
  back?: string;
  /** Content at the right of the header. */
  action?: ReactNode;
  /** Shown instead of the text of the title, which is then for screen readers only. */
  head?: ReactNode;
  /** The main action of the page, which stays at the bottom of the window. */
  foot?: ReactNode;
  children: ReactNode;
}

function BackButton({ to }: { to: string }) {
  const { t } = useTranslation("common");
  const navigate = useNavigate();
  const leave = () => {
    // The router numbers the pages of this visit.
    const { idx } = (history.state ?? {}) as { idx?: number };
    if (idx) void navigate(-1);
    else void navigate(to, { replace: true });
  };
  return (
    <button type="button" className="icon-button" aria-label={t("back")} onClick={leave}>
      <ChevronLeft size={26} aria-hidden />
    </button>
  );
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
      <header className="page-head">
        <div className="page-head-side">{back !== undefined && <BackButton to={back} />}</div>
        <h1 ref={heading} tabIndex={-1} className={head ? "branded" : undefined}>
          {head ?? title}
        </h1>
        <div className="page-head-side end">{action}</div>
      </header>
      <main id="content" className={foot ? "page with-foot" : "page"}>
        {children}
        {foot && <div className="page-foot">{foot}</div>}
      </main>
    </>
  );
}
