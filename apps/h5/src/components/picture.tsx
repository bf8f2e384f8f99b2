import { Package } from "lucide-react";
import { useRef, useState } from "react";
import { thumbnailOf } from "../../../../functions/_shared/words/thumbnail.ts";
import styles from "./picture.module.css";
import { useNear } from "./use_near.ts";

interface PictureProps {
  src: string | undefined;
  alt: string;
  /** Loaded immediately instead of when it becomes visible. */
  isFirst?: boolean;
  /** The whole picture, instead of the small file for a list. */
  isLarge?: boolean;
}

/** A square picture. If there is none or it cannot be loaded, a symbol takes its place. */
export function Picture({ src: address, alt, isFirst, isLarge }: PictureProps) {
  const src = address && (isLarge ? address : thumbnailOf(address));
  const [failed, setFailed] = useState<string>();
  // Browsers load the pictures of several windows ahead, which a long list multiplies.
  const frame = useRef<HTMLSpanElement>(null);
  const [isNear, setNear] = useState(isFirst || isLarge);
  useNear(frame, 100, !isNear, () => setNear(true));
  return (
    <span className={styles.picture} ref={frame}>
      {src && failed !== src ? (
        isNear && (
          <img
            src={src}
            alt={alt}
            loading={isFirst ? "eager" : "lazy"}
            decoding="async"
            onError={() => setFailed(src)}
          />
        )
      ) : (
        <Package
          size={36}
          strokeWidth={1.25}
          role={alt ? "img" : undefined}
          aria-label={alt || undefined}
          aria-hidden={!alt}
        />
      )}
    </span>
  );
}
