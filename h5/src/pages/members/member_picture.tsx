import { useState } from "react";

interface Pictured {
  nickname: string;
  avatar: string | null;
}

/** The picture of a member, or the first letter of their name. */
export function MemberPicture({ member: { nickname, avatar } }: { member: Pictured }) {
  const [failed, setFailed] = useState<string>();
  return (
    <span className="member-picture" aria-hidden>
      {avatar && failed !== avatar ? <img src={avatar} alt="" onError={() => setFailed(avatar)} /> : [...nickname][0]?.toUpperCase()}
    </span>
  );
}
