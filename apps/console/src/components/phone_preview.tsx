import { Button, Modal, useComputedColorScheme } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Smartphone } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { brandOf } from "../../../shared/brand.ts";
import { RichText } from "../../../shared/rich_text.tsx";
import { ArticleText, type ShownArticle } from "../../../shared/article_text.tsx";
import styles from "../../../shared/member_styles/styles.css?raw";
import layoutStyles from "../../../shared/member_styles/layout.module.css?raw";
import richTextStyles from "../../../shared/member_styles/rich_text.module.css?raw";
import sectionStyles from "../../../shared/member_styles/section.module.css?raw";
import articleStyles from "../../../shared/member_styles/article_text.module.css?raw";
import { useAdmin } from "../store/store.ts";

const css = [styles, layoutStyles, sectionStyles, richTextStyles, articleStyles].join("\n");

const shadesOf = (colour: string) =>
  Object.entries(brandOf(colour))
    .map(([name, shade]) => `${name}: ${shade};`)
    .join(" ");

/**
 * A part of the app, with its style sheets and the colour of the store, as wide as a phone. Its scripts do not run, and
 * its links lead nowhere.
 */
function PhoneFrame({ title, children }: { title: string; children: ReactNode }) {
  const scheme = useComputedColorScheme();
  const colour = useAdmin("/adminapi/system/settings", {}, { staleTime: 300_000 }).data?.colour;
  const [body, setBody] = useState<HTMLElement>();
  const page = useMemo(
    () =>
      `<!doctype html><html data-prefers-color-scheme="${scheme}"><meta charset="utf-8"><style>${css} ${colour ? `:root { ${shadesOf(colour)} }` : ""}</style><body style="padding: 12px"></body></html>`,
    [scheme, colour],
  );
  return (
    <>
      <iframe
        title={title}
        sandbox="allow-same-origin"
        srcDoc={page}
        onLoad={(event) => setBody(event.currentTarget.contentDocument?.body)}
        style={{
          display: "block",
          // 375 within its border.
          width: 377,
          maxWidth: "100%",
          height: 620,
          marginInline: "auto",
          border: "1px solid var(--mantine-color-default-border)",
          borderRadius: 18,
        }}
      />
      {body && createPortal(children, body)}
    </>
  );
}

/** An article as members see it. */
export function ArticlePreview({ article }: { article: ShownArticle }) {
  const { t } = useTranslation("writing");
  return (
    <PhoneFrame title={t("preview.frame")}>
      <ArticleText
        article={article}
        words={{ by: t("preview.by", { author: article.author }), more: t("preview.more") }}
        classes={{ article: "card article", picture: "picture", synopsis: "synopsis", content: "content" }}
      />
    </PhoneFrame>
  );
}

/** The description of a product as members see it. */
export function DescriptionPreview({ title, content }: { title: string; content: string }) {
  const { t } = useTranslation("writing");
  return (
    <PhoneFrame title={t("preview.frame")}>
      <section className="card">
        <div className="head">
          <h2>{title}</h2>
        </div>
        <RichText content={content} className="content" />
      </section>
    </PhoneFrame>
  );
}

/** Opens a preview of what is in the form, saved or not. */
export function PreviewButton({ children }: { children: ReactNode }) {
  const { t } = useTranslation(["writing", "common"]);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Smartphone size={16} aria-hidden />}
        onClick={open}
        style={{ alignSelf: "flex-start" }}
      >
        {t("preview.open")}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t("preview.title")}
        size={430}
        closeButtonProps={{ "aria-label": t("common:close") }}
      >
        {children}
      </Modal>
    </>
  );
}
