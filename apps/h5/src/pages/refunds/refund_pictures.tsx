import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Picture } from "../../components/picture.tsx";
import { useApi } from "../../store/store.ts";
import styles from "./pictures.module.css";

/** New links are fetched before those on the page end, in milliseconds. */
const linksLast = 4 * 60_000;

/** The pictures that the buyer has added to a request. Each leads to the large one. */
export function RefundPictures({ refund: { order_id, pictures } }: { refund: Api["Refund"] }) {
  const { t } = useTranslation("refunds");
  const links = useApi(
    "/api/order/{id}/refund/picture",
    { params: { path: { id: order_id } } },
    { enabled: pictures.length > 0, staleTime: linksLast, refetchInterval: linksLast },
  );
  if (pictures.length === 0) return null;
  return (
    <span className={styles.strip}>
      {pictures.map(({ id }, at) => {
        const link = links.data?.list.find((each) => each.id === id);
        return (
          <a key={id} className={styles.picture} href={link?.url} target="_blank" rel="noreferrer">
            <Picture src={link?.small_url} alt={t("picture", { number: at + 1 })} />
          </a>
        );
      })}
    </span>
  );
}
