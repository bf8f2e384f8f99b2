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
import { formatClock, nameDay } from "../../components/time.tsx";
import { useStore } from "../../store/store.ts";
import styles from "./notices_page.module.css";

interface NoticeRowProps {
  notice: Api["Notice"];
  /** Whether it is the first of its day. */
  isFirst: boolean;
  onOpen: () => void;
}

function NoticeRow({ notice, isFirst, onOpen }: NoticeRowProps) {
  const { t, i18n } = useTranslation("notices");
  const { title, text } = noticeText(notice, i18n.language as Language);
  return (
    <li>
      {isFirst && <h2 className={styles.day}>{nameDay(notice.add_time)}</h2>}
      <Link className={styles.row} to={noticePlace(notice)} onClick={onOpen}>
        <span className={layout.apart}>
          <span className={classes(!notice.is_read && styles.unread)}>{title}</span>
          {!notice.is_read && <Tag look="brand">{t("isNew")}</Tag>}
        </span>
        <span className="weak">{text}</span>
        <small className="weak">
          <time dateTime={notice.add_time}>{formatClock(notice.add_time)}</time>
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
          row={(notice, _, previous) => (
            <NoticeRow
              notice={notice}
              isFirst={previous === undefined || nameDay(previous.add_time) !== nameDay(notice.add_time)}
              onOpen={() => !notice.is_read && read.mutate(notice.id)}
            />
          )}
          empty={<Empty text={t("empty")} />}
        />
      </Refreshable>
    </Page>
  );
}
