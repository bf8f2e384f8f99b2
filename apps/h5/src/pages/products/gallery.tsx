import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Picture } from "../../components/picture.tsx";
import styles from "./gallery.module.css";

/** The pictures of a product, side by side: swiped, or scrolled with the keys. */
export function Gallery({ title, images }: { title: string; images: string[] }) {
  const { t } = useTranslation("products");
  const [shown, setShown] = useState(0);
  if (images.length < 2)
    return (
      <div className={styles.gallery}>
        <div className={styles.strip}>
          <Picture src={images[0]} alt={title} isFirst isLarge />
        </div>
      </div>
    );
  return (
    <div className={styles.gallery}>
      <div
        className={styles.strip}
        role="region"
        aria-label={t("pictures")}
        // The arrow keys scroll the element that has the focus.
        tabIndex={0}
        onScroll={({ currentTarget }) => setShown(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth))}
      >
        {images.map((image, at) => (
          <Picture
            key={image}
            src={image}
            alt={t("picture", { title, number: at + 1, count: images.length })}
            isFirst={at === 0}
            isLarge
          />
        ))}
      </div>
      <span className={styles.count} aria-hidden>
        {shown + 1} / {images.length}
      </span>
    </div>
  );
}
