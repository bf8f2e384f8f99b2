import { Copy, Download, Share2 } from "lucide-react";
import { Skeleton } from "antd-mobile";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { useSite } from "../../app/site.ts";
import { Button } from "../../components/button.tsx";
import { classes } from "../../components/classes.ts";
import { copyText } from "../../components/copy_text.ts";
import { FailureBox } from "../../components/failure_box.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useApi } from "../../store/store.ts";
import styles from "./poster_page.module.css";
import { withShareCode } from "./share_link.ts";

type Poster = Api["Poster"];

/** The picture is drawn when it is first requested, which takes a moment. */
function PosterPicture({ poster: { image_url } }: { poster: Poster }) {
  const { t } = useTranslation("posters");
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  if (state === "failed") {
    return (
      <FailureBox
        error={new Error("poster")}
        onRetry={() => {
          setAttempt(attempt + 1);
          setState("loading");
        }}
      />
    );
  }
  return (
    <div className={styles.poster} aria-busy={state === "loading"}>
      {state === "loading" && <Skeleton className={styles.skeleton} animated />}
      <img
        key={attempt}
        src={image_url}
        alt={t("alt")}
        onLoad={() => setState("shown")}
        onError={() => setState("failed")}
      />
    </div>
  );
}

function ShareButtons({ poster: { share_url, image_url } }: { poster: Poster }) {
  const { t } = useTranslation("posters");
  const name = useSite()?.site_name ?? "";
  const { data: me } = useApi("/api/user", {});
  const link = me ? withShareCode(share_url, me.share_code) : share_url;
  // Opens the share dialog of the phone. If the user cancels it, that is not an error.
  const share = () =>
    void navigator.share({ title: name, text: t("invitation", { name }), url: link }).catch(() => undefined);
  return (
    <>
      <div className={classes(layout.card, styles.link)}>
        <span className={classes(layout.grow, styles.address)}>
          <span className="weak">{t("link")}</span>
          <span>{link}</span>
        </span>
        <Button size="small" shape="rounded" aria-label={t("copyLink")} onClick={() => void copyText(link)}>
          <Copy size={16} aria-hidden /> {t("copy")}
        </Button>
      </div>
      <div className={layout.buttonRow}>
        <LinkButton look="plain" href={image_url} download="poster.png">
          <Download size={18} aria-hidden /> {t("save")}
        </LinkButton>
        {typeof navigator.share === "function" && (
          <LinkButton onClick={share}>
            <Share2 size={18} aria-hidden /> {t("share")}
          </LinkButton>
        )}
      </div>
    </>
  );
}

/** The member's poster and share link: of the store, or of a product. */
export function Component() {
  const { t } = useTranslation("posters");
  const [parameters] = useSearchParams();
  const product = parameters.get("product") ?? "";
  const product_id = /^[1-9]\d{0,14}$/.test(product) ? Number(product) : undefined;
  const poster = useApi("/api/spread/poster", { params: { query: product_id === undefined ? {} : { product_id } } });
  return (
    <Page title={t("title")} back={product_id === undefined ? "/team" : `/products/${product_id}`}>
      <div className={layout.stack}>
        <p className="weak center">{t("advice")}</p>
        <QueryResult of={poster} rows={12}>
          {(shown) => (
            <>
              <PosterPicture poster={shown} />
              <ShareButtons poster={shown} />
            </>
          )}
        </QueryResult>
      </div>
    </Page>
  );
}
