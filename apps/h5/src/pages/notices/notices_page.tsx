import { CheckCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type Api, unwrap } from "../../../../client/index.ts";
import { noticePlace, noticeText } from "../../../../../functions/_shared/notices/notice_texts.ts";
import type { Language } from "../../../../shared/languages.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { classes } from "../../components/classes.ts";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, useCursorList } from "../../components/endless_list.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { IconButton } from "../../components/icon_button.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useStore } from "../../store/store.ts";
import styles from "./notices_page.module.css";

function NoticeRow({ notice, onOpen }: { notice: Api["Notice"]; onOpen: () => void }) {
  const { t, i18n } = useTranslation("notices");
  const { title, text } = noticeText(notice, i18n.language as Language);
  return (
    <li>
      <Link className={styles.row} to={noticePlace(notice)} onClick={onOpen}>
        <span className={layout.apart}>
          <span className={classes(!notice.is_read && styles.unread)}>{title}</span>
          {!notice.is_read && <Tag look="brand">{t("isNew")}</Tag>}
        </span>
        <span className="weak">{text}</span>
        <small className="weak">
          <Time value={notice.add_time} />
        </small>
      </Link>
    </li>
  );
}

/** What happened to the member. A notice that is opened is read. */
export function Component() {
  const { t } = useTranslation("notices");
  const api = useStore();
  const notices = useCursorList(["notices"], (next) =>
    unwrap(api.GET("/api/notice", { params: { query: { limit: 30, ...next } } })),
  );
  const readAll = useAction((seen: string, key) => api.PUT("/api/notice/read", { body: { seen }, ...key }));
  const read = useAction((id: string) => api.PUT("/api/notice/{id}/read", { params: { path: { id } } }));
  const first = notices.data?.pages[0];
  return (
    <Page
      title={t("title")}
      back="/me"
      action={
        first &&
        first.unread > 0 && (
          <IconButton label={t("readAll")} icon={CheckCheck} size={22} onClick={() => readAll.mutate(first.seen)} />
        )
      }
    >
      <p className="center">
        <Link to="/notices/choices">{t("choose")}</Link>
      </p>
      <FailureBox error={readAll.error} />
      <Refreshable>
        <EndlessList
          of={notices}
          label={t("title")}
          className={classes(layout.card, layout.rows)}
          idOf={({ id }) => id}
          row={(notice) => <NoticeRow notice={notice} onOpen={() => !notice.is_read && read.mutate(notice.id)} />}
          empty={<Empty text={t("empty")} />}
        />
      </Refreshable>
    </Page>
  );
}
