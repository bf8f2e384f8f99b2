import { useState } from "react";
import styles from "./member_picture.module.css";

interface Pictured {
  nickname: string;
  avatar: string | null;
}

/** The picture of a member, or the first letter of their name. */
export function MemberPicture({ member: { nickname, avatar }, small = false }: { member: Pictured; small?: boolean }) {
  const [failed, setFailed] = useState<string>();
  return (
    <span className={small ? styles.small : styles.picture} aria-hidden>
      {avatar && failed !== avatar ? (
        <img src={avatar} alt="" onError={() => setFailed(avatar)} />
      ) : (
        [...nickname][0]?.toUpperCase()
      )}
    </span>
  );
}
